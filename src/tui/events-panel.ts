import { clock } from '../format/units.ts'
import { wrap } from '../format/wrap.ts'
import type { Area } from './layout.ts'
import type { LongText } from './scrolled.ts'
import type { EventLine } from './select-events.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

const timeWidth = 9

/** The last events, newest at the end. */
export function eventLines(events: readonly EventLine[], { width, height }: Area): readonly Line[] {
  if (height < 2) return fitHeight([], height)
  const shown = events.slice(-(height - 1))
  return fitHeight(
    [
      heading('Events', '', [], width),
      ...shown.map(({ seconds, text, tone }): Line => [span(time(seconds), 'dim'), span(text, tone)]),
    ],
    height,
  )
}

/** All events that are kept, each as long as it is. */
export function eventsText(events: readonly EventLine[], width: number): LongText {
  const lines = events.flatMap(({ seconds, text, tone }) =>
    wrap(text, width - timeWidth).map(
      (part, line): Line => [
        span(line === 0 ? time(seconds) : ' '.repeat(timeWidth), 'dim'),
        span(part, tone),
      ],
    ),
  )
  return { title: 'Events', lines, startsAt: 'end' }
}

function time(seconds: number): string {
  return `${clock(seconds).padStart(timeWidth - 2)}  `
}
