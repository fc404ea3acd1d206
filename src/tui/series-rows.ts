import { chart, type Scale } from '../format/sparkline.ts'
import { pad } from '../format/text-width.ts'
import { type Line, type Span, type Style, span } from './span.ts'

/** A figure of now with its course. */
export type SeriesRow = {
  readonly label: string
  readonly value: string
  readonly values: readonly (number | null)[]
  readonly style: Style
  readonly scale?: Scale
}

/** Of shares. */
export const fullScale: Scale = { from: 0, to: 1 }

export const labelWidth = 9
const valueWidth = 10
/** Columns before the course begins. */
export const seriesIndent = labelWidth + valueWidth + 1
const tallest = 6

/** Label, figure, course. With height to spare the courses grow, a free line between them. At most `height` lines. */
export function seriesLines(rows: readonly SeriesRow[], width: number, height: number): readonly Line[] {
  const shown = rows.slice(0, Math.max(0, height))
  const share = shown.length === 0 ? 1 : Math.floor((height + 1) / shown.length)
  const lines = share < 3 ? 1 : Math.min(tallest, share - 1)
  return shown.flatMap((row, index) => [
    ...(lines > 1 && index > 0 ? [[]] : []),
    ...seriesRow(row, width, lines),
  ])
}

function seriesRow({ label, value, values, style, scale }: SeriesRow, width: number, lines: number): Line[] {
  const head = [span(pad(label, labelWidth), 'dim'), span(`${pad(value, valueWidth, 'right')} `, 'strong')]
  return chart(values, width - seriesIndent, lines, scale).map((course, index) => [
    ...(index === 0 ? head : [span(' '.repeat(seriesIndent))]),
    ...quietZeros(course, values, style),
  ])
}

/** The baseline of measured zeros is seen, but stays in the background. */
function quietZeros(course: string, values: readonly (number | null)[], style: Style): Line {
  const offset = values.length - course.length
  const spans: Span[] = []
  for (const [column, block] of [...course].entries()) {
    const look = values[column + offset] === 0 ? 'dim' : style
    const last = spans.at(-1)
    if (last?.style === look) spans[spans.length - 1] = span(last.text + block, look)
    else spans.push(span(block, look))
  }
  return spans
}
