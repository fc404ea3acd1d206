import { gauge } from '../format/gauge.ts'
import { resample, sparkline } from '../format/sparkline.ts'
import { pad, textWidth } from '../format/text-width.ts'
import { milliseconds, perSecond } from '../format/units.ts'
import { type Figure, figureBeneath } from './figures.ts'
import type { CellLines } from './layout.ts'
import { limitWords, marks } from './marks.ts'
import type { CellView, PrefillView } from './select-grid.ts'
import { heatStyles, type Line, span } from './span.ts'

/** A cell as lines of exactly `width` columns, the last of which stays free: figure and mark; TTFT; its course. */
export function cellBlock(
  cell: CellView | null,
  figure: Figure,
  width: number,
  lines: CellLines,
): readonly Line[] {
  if (cell === null) return Array.from({ length: lines }, () => [span(' '.repeat(width))])
  const style = cell.heat === null ? marks[cell.status].style : (heatStyles[cell.heat] ?? 'plain')
  const first = `${pad(figureText(cell, figure, width - 2), width - 2, 'right')}${marks[cell.status].symbol}`
  if (cell.status === 'running') return runningBlock(cell, first, width, lines)
  const rest = detail(cell, figureBeneath(figure), width - 2, lines - 1).map(text => `${text} `)
  return [first, ...rest].map(text => [span(text, style), span(' ')])
}

/** On one line the progress of the window runs beneath the figure, on more it has a line of its own. */
function runningBlock(cell: CellView, first: string, width: number, lines: CellLines): readonly Line[] {
  if (lines === 1) {
    const reached = Math.round((cell.progress ?? 0) * first.length)
    return [[span(first.slice(0, reached), 'reached'), span(first.slice(reached), 'live'), span(' ')]]
  }
  const { full, rest } = gauge(cell.progress, width - 3)
  const bar: Line = [span(' '), span(full, 'live'), span(rest, 'dim'), span('  ')]
  const course: Line = [span(` ${courseText(cell, width - 3)}  `)]
  const figureLine: Line = [span(first, 'live'), span(' ')]
  return lines === 2 ? [figureLine, bar] : [figureLine, bar, course]
}

function figureText({ status, limit, value }: CellView, figure: Figure, width: number): string {
  if (status === 'over-capacity') return limit === null ? '' : limitWords[limit].short
  return value === null ? '' : fitting(figure.text, value, width)
}

/** With fewer columns or points than this a course tells nothing. */
const leastCourse = 3

/** Under the figure another one, with the course of TTFT before it or, where there is a line for that, beneath it. */
function detail(cell: CellView, beneath: Figure, width: number, lines: number): readonly string[] {
  if (lines === 0) return []
  const figure = cell.beneath === null ? '' : fitting(beneath.text, cell.beneath, width)
  if (lines === 2) return [pad(figure, width, 'right'), ` ${courseText(cell, width - 1)}`]
  const room = width - figure.length - 2
  return [room < leastCourse ? pad(figure, width, 'right') : ` ${courseText(cell, room)} ${figure}`]
}

function courseText({ ttftCourse }: CellView, width: number): string {
  const known = ttftCourse.filter(value => value !== null)
  if (known.length < leastCourse) return ' '.repeat(width)
  // A steady course stands at half height, so that cells do not look filled.
  const most = Math.max(...known)
  return sparkline(resample(ttftCourse, width), width, { from: 0, to: 2 * most })
}

/** A prefill row as lines of exactly `width` columns: prompt tok/s and mark; TTFT. */
export function prefillBlock(
  row: PrefillView | null,
  figure: Figure,
  width: number,
  lines: CellLines,
): readonly Line[] {
  if (row === null) return Array.from({ length: lines }, () => [span(' '.repeat(width))])
  const room = width - 2
  const { symbol, style } = marks[row.status]
  const rate = prefillText(row, perSecond, row.tokensPerSecond, room)
  const ttft = prefillText(row, milliseconds, row.ttftMs, room)
  const [first, second] = lines === 1 && figure.name === 'TTFT' ? [ttft, rate] : [rate, ttft]
  const block = [
    [span(`${pad(first, room, 'right')}${symbol} `, style)],
    [span(`${pad(second, room, 'right')}  `, 'dim')],
    [span(' '.repeat(width))],
  ]
  return block.slice(0, lines)
}

function prefillText(row: PrefillView, text: Figure['text'], value: number | null, width: number): string {
  if (row.status === 'over-capacity') return row.limit === null ? '' : limitWords[row.limit].short
  return value === null ? '' : fitting(text, value, width)
}

const forms = ['full', 'short'] as const

function fitting(text: Figure['text'], value: number, width: number): string {
  return (
    forms.map(form => text(value, form)).find(shown => textWidth(shown) <= width) ?? text(value, 'compact')
  )
}
