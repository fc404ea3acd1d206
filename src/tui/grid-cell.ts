import { gauge } from '../format/gauge.ts'
import { resample, sparkline } from '../format/sparkline.ts'
import { pad, textWidth } from '../format/text-width.ts'
import { milliseconds, perSecond, unknown } from '../format/units.ts'
import { limitWords } from '../report/limit-text.ts'
import { type Figure, figureBeneath } from './figures.ts'
import type { CellLines } from './layout.ts'
import { marks, signs } from './marks.ts'
import type { CellView, PrefillView } from './select-grid.ts'
import { courseStyles, heatStyles, type Line, span } from './span.ts'

/** A cell as lines of exactly `width` columns: figure, with its marks at the end; TTFT; its course. */
export function cellBlock(
  cell: CellView | null,
  figure: Figure,
  width: number,
  lines: CellLines,
): readonly Line[] {
  if (cell === null) return Array.from({ length: lines }, () => [span(' '.repeat(width))])
  const style = cell.heat === null ? marks[cell.status].style : (heatStyles[cell.heat] ?? 'plain')
  const first = firstLine(cell, figure, width)
  if (cell.status === 'running') return runningBlock(cell, first, width, lines)
  const courseStyle = cell.heat === null ? 'dim' : (courseStyles[cell.heat] ?? 'dim')
  const rest = detail(cell, figureBeneath(figure), width - 1, lines - 1)
  return [
    [span(first, style)],
    ...rest.map(({ course, figure }) => [span(course, courseStyle), span(`${figure} `, style)]),
  ]
}

/** One column at the end for a mark; further signs stand before the figure where that leaves room for them. */
function firstLine(cell: CellView, figure: Figure, width: number): string {
  const status = cell.status === 'valid' ? [] : [marks[cell.status].symbol]
  const shown = cell.signs.map(sign => signs[sign].symbol)
  const [mark = ' ', ...before] = cell.signs[0] === 'redo' ? [...shown, ...status] : [...status, ...shown]
  const room = width - 1
  const text = figureText(cell, figure, room)
  const lead = before.join('')
  return `${pad(lead.length + textWidth(text) <= room ? `${lead}${text}` : text, room, 'right')}${mark}`
}

/** On one line the progress of the window runs beneath the figure, on more it has a line of its own. */
function runningBlock(cell: CellView, first: string, width: number, lines: CellLines): readonly Line[] {
  if (lines === 1) {
    const reached = Math.round((cell.progress ?? 0) * first.length)
    return [[span(first.slice(0, reached), 'reached'), span(first.slice(reached), 'live')]]
  }
  const { full, rest } = gauge(cell.progress, width - 2)
  const bar: Line = [span(' '), span(full, 'live'), span(rest, 'dim'), span(' ')]
  const course: Line = [span(` ${courseText(cell, width - 2)} `)]
  const figureLine: Line = [span(first, 'live')]
  return lines === 2 ? [figureLine, bar] : [figureLine, bar, course]
}

function figureText({ status, limit, isMeasured, value }: CellView, figure: Figure, width: number): string {
  if (status === 'over-capacity') return limit === null ? '' : limitWords[limit].short
  if (value !== null) return fitting(figure.text, value, width)
  if (status === 'running') return '…'
  return isMeasured ? unknown : ''
}

/** With fewer columns or points than this a course tells nothing. */
const leastCourse = 3

type DetailLine = { readonly course: string; readonly figure: string }

/**
 * Under the figure another one, with the course of TTFT before it or, where there is a line for that, beneath it; both
 * together in `width` columns.
 */
function detail(cell: CellView, beneath: Figure, width: number, lines: number): readonly DetailLine[] {
  if (lines === 0) return []
  const figure = cell.beneath === null ? '' : fitting(beneath.text, cell.beneath, width)
  const alone = { course: '', figure: pad(figure, width, 'right') }
  if (lines === 2) return [alone, { course: ` ${courseText(cell, width - 1)}`, figure: '' }]
  const room = width - textWidth(figure) - 2
  return [room < leastCourse ? alone : { course: ` ${courseText(cell, room)}`, figure: ` ${figure}` }]
}

function courseText({ ttftCourse }: CellView, width: number): string {
  return course(ttftCourse, width) ?? ' '.repeat(width)
}

/** The course of TTFT in exactly `width` columns; `null`: too few points to be one. */
export function course(values: readonly (number | null)[], width: number): string | null {
  const known = values.filter(value => value !== null)
  if (known.length < leastCourse) return null
  // A steady course stands at half height, so that cells do not look filled.
  const most = Math.max(...known)
  return sparkline(resample(values, width), width, { from: 0, to: 2 * most })
}

/** A prefill row as lines of exactly `width` columns: prompt tok/s and mark; TTFT. */
export function prefillBlock(
  row: PrefillView | null,
  figure: Figure,
  width: number,
  lines: CellLines,
): readonly Line[] {
  if (row === null) return Array.from({ length: lines }, () => [span(' '.repeat(width))])
  const room = width - 1
  const { symbol, style } = marks[row.status]
  const rate = prefillText(row, perSecond, row.tokensPerSecond, room)
  const ttft = prefillText(row, milliseconds, row.ttftMs, room)
  const [first, second] = lines === 1 && figure.name === 'TTFT' ? [ttft, rate] : [rate, ttft]
  const block = [
    [span(`${pad(first, room, 'right')}${symbol}`, style)],
    [span(`${pad(second, room, 'right')} `, 'dim')],
    [span(' '.repeat(width))],
  ]
  return block.slice(0, lines)
}

function prefillText(row: PrefillView, text: Figure['text'], value: number | null, width: number): string {
  if (row.status === 'over-capacity') return row.limit === null ? '' : limitWords[row.limit].short
  if (value !== null) return fitting(text, value, width)
  return row.status === 'running' ? '…' : ''
}

const forms = ['full', 'short'] as const

function fitting(text: Figure['text'], value: number, width: number): string {
  return (
    forms.map(form => text(value, form)).find(shown => textWidth(shown) <= width) ?? text(value, 'compact')
  )
}
