import { clock } from '../format/units.ts'
import type { Area } from './layout.ts'
import type { EventLine } from './select-events.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

/** The last events, newest at the end. */
export function eventLines(events: readonly EventLine[], { width, height }: Area): readonly Line[] {
  if (height < 2) return []
  const shown = events.slice(-(height - 1))
  return fitHeight(
    [
      heading('Events', '', [], width),
      ...shown.map(
        ({ seconds, text, tone }): Line => [span(`${clock(seconds).padStart(7)}  `, 'dim'), span(text, tone)],
      ),
    ],
    height,
  )
}
