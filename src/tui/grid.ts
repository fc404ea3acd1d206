import { pad } from '../format/text-width.ts'
import { tokens } from '../format/units.ts'
import { type Figure, figureBeneath } from './figures.ts'
import { cellBlock, prefillBlock } from './grid-cell.ts'
import type { Area, CellLines } from './layout.ts'
import { legend } from './legend.ts'
import type { GridRow, GridView } from './select-grid.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

const leastCellWidth = 6
const mostCellWidth = 22
const prefillWidth = { narrow: 7, wide: 9 }

/** The matrix; what has no room scrolls, so that the work in progress stays in sight, and the heading says so. */
export function gridLines(view: GridView, figure: Figure, area: Area, cellLines: CellLines): readonly Line[] {
  const { width, height } = area
  const labelWidth = Math.max(3, ...view.rows.map(({ contextTokens }) => tokens(contextTokens).length)) + 1
  const sideWidth = view.hasPrefill ? (width < 80 ? prefillWidth.narrow : prefillWidth.wide) : 0
  const room = width - labelWidth - sideWidth
  const columns = sliceAround(view.concurrency.length, Math.floor(room / leastCellWidth), view.focus.column)
  const rows = sliceAround(view.rows.length, Math.floor((height - 2) / cellLines), view.focus.row)
  const shown = columns.to - columns.from
  const cellWidth = shown === 0 ? 0 : Math.min(mostCellWidth, Math.floor(room / shown))
  const titles = [
    pad('ctx', labelWidth),
    // Without blanks around it the title spans a narrow column.
    ...(view.hasPrefill ? [pad(pad('prefill', Math.max(7, sideWidth - 2), 'right'), sideWidth)] : []),
    ...columnTitles(view.concurrency.slice(columns.from, columns.to), cellWidth - 2),
  ]
  const body = view.rows.slice(rows.from, rows.to).flatMap(row => {
    const label = pad(tokens(row.contextTokens), labelWidth - 1, 'right')
    return rowLines(row, figure, { label, sideWidth, cellWidth, cellLines, columns })
  })
  const beneath = cellLines === 1 ? '' : `, ${figureBeneath(figure).name} beneath`
  const about = width < 100 ? '' : `${figure.meaning}${beneath}`
  const right = [...hidden(view, rows, columns), ...legend(view, width)]
  const head = heading(`Decode ${figure.name}`, about, right, width)
  return fitHeight([head, [span(titles.join(''), 'dim')], ...body], height)
}

type Slice = { readonly from: number; readonly to: number }
type RowShape = {
  readonly label: string
  readonly sideWidth: number
  readonly cellWidth: number
  readonly cellLines: CellLines
  readonly columns: Slice
}

function rowLines({ prefill, cells }: GridRow, figure: Figure, shape: RowShape): readonly Line[] {
  const { label, sideWidth, cellWidth, cellLines, columns } = shape
  const side = sideWidth === 0 ? [] : prefillBlock(prefill, figure, sideWidth, cellLines)
  const blocks = cells
    .slice(columns.from, columns.to)
    .map(cell => cellBlock(cell, figure, cellWidth, cellLines))
  return Array.from(
    { length: cellLines },
    (_, line): Line => [
      span(line === 0 ? `${label} ` : ' '.repeat(label.length + 1), 'strong'),
      ...(side[line] ?? []),
      ...blocks.flatMap(block => block[line] ?? []),
    ],
  )
}

/** `room` of `count` places that hold `focus`, as near to the start as possible. */
function sliceAround(count: number, room: number, focus: number): Slice {
  const size = Math.min(count, Math.max(0, room))
  const from = Math.max(0, Math.min(count - size, focus - size + 1))
  return { from, to: from + size }
}

function hidden(view: GridView, rows: Slice, columns: Slice): Line {
  const parts = [...part('row', view.rows.length, rows), ...part('column', view.concurrency.length, columns)]
  return parts.map(text => span(`${text}  `, 'warn'))
}

function part(noun: string, count: number, { from, to }: Slice): readonly string[] {
  return to - from === count ? [] : [`${noun}s ${from + 1}–${to} of ${count}`]
}

function columnTitles(concurrency: readonly number[], width: number): readonly string[] {
  const full = concurrency.map(streams => `C=${streams}`)
  const titles = full.every(title => title.length <= width) ? full : concurrency.map(String)
  return titles.map(title => `${pad(title, width, 'right')}  `)
}
