import { fitHeight, heading, type Line, span } from './span.ts'

/** A text that may be longer than its area: title and lines, of which those from `from` on are shown. */
export type LongText = {
  readonly title: string
  /** At the right end of the title. */
  readonly end?: Line
  readonly lines: readonly Line[]
  /** At which end it is read first. */
  readonly startsAt: 'start' | 'end'
}

/** How far a text can be scrolled in so many lines, the title among them. */
export function mostScroll({ lines }: LongText, height: number): number {
  return Math.max(0, lines.length - (height - 1))
}

/** The part in sight, `scroll` lines away from where it starts; the title says what is out of sight. */
export function scrolledLines(
  text: LongText,
  scroll: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Line[] {
  const most = mostScroll(text, height)
  const moved = Math.min(most, scroll)
  const from = text.startsAt === 'start' ? moved : most - moved
  const below = most - from
  const sides = [from === 0 ? '' : `↑${from}`, below === 0 ? '' : `↓${below}`].filter(side => side !== '')
  const outOfSight =
    sides.length === 0 ? [] : [span(`${sides.join(' ')} more line${from + below === 1 ? '' : 's'}`, 'warn')]
  const { end = [] } = text
  const gap = outOfSight.length > 0 && end.length > 0 ? [span('  ')] : []
  return fitHeight(
    [
      heading(text.title, '', [...outOfSight, ...gap, ...end], width),
      ...text.lines.slice(from, from + height - 1),
    ],
    height,
  )
}
