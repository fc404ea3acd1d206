import type { RunState } from '../domain/run-state.ts'
import { cellText } from './cell-view.ts'
import { eventsText } from './events-panel.ts'
import { explainText } from './explain-view.ts'
import { helpText } from './help.ts'
import type { Area } from './layout.ts'
import { outputText } from './output-view.ts'
import { prefillText } from './prefill-view.ts'
import type { LongText } from './scrolled.ts'
import { selectCell, selectPrefill } from './select-cell.ts'
import { selectEvents } from './select-events.ts'
import { selectedPlace } from './selection.ts'
import type { UiState } from './ui-state.ts'

/** The text that fills the area and can be scrolled; `null`: what is shown fits itself to its area. */
export function longText(
  state: RunState,
  { view, overlay, selected }: UiState,
  now: number,
  output: string | null,
  area: Area,
): LongText | null {
  const { width } = area
  if (overlay === 'help') return helpText(width)
  if (overlay === 'output') return outputText(output, width)
  const place = selectedPlace(state, selected)
  if (overlay === 'explain') return explainText(state, place?.kind === 'cell' ? place.cell : -1, width)
  if (view === 'events') return eventsText(selectEvents(state), width)
  if (view !== 'cell') return null
  const row = place?.kind === 'prefill' ? selectPrefill(state, place.row, now) : null
  if (row !== null) return prefillText(row, width)
  const cell = place?.kind === 'cell' ? selectCell(state, place.cell, now) : null
  return cell === null ? { title: 'Cell', lines: [], startsAt: 'start' } : cellText(cell, area)
}
