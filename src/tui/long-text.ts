import type { RunState } from '../domain/run-state.ts'
import { eventsText } from './events-panel.ts'
import { helpText } from './help.ts'
import { outputText } from './output-view.ts'
import type { LongText } from './scrolled.ts'
import { selectEvents } from './select-events.ts'
import type { UiState } from './ui-state.ts'

/** The text that fills the screen and can be scrolled; `null`: what is shown fits itself to its area. */
export function longText(
  state: RunState,
  { view, overlay }: UiState,
  output: string | null,
  width: number,
): LongText | null {
  if (overlay === 'help') return helpText(width)
  if (overlay === 'output') return outputText(output, width)
  return overlay === null && view === 'events' ? eventsText(selectEvents(state), width) : null
}
