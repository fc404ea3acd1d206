import { pad } from '../format/text-width.ts'
import { contextName } from '../format/units.ts'
import { type Figure, figureBeneath } from './figures.ts'
import { cellBlock, prefillBlock } from './grid-cell.ts'
import { type RowCourse, rowCourse, rowCourseText } from './grid-course.ts'
import type { Area, CellLines } from './layout.ts'
import { legend } from './legend.ts'
import type { GridRow, GridView } from './select-grid.ts'
import { fitHeight, heading, type Line, lineWidth, span } from './span.ts'

/** Columns of a cell and of the prefill column, with the free one after each. */
const leastCellWidth = 6
const mostCellWidth = 22
const prefillWidth = { narrow: 7, wide: 9 }
/** That the rule of the heading keeps beside the legend. */
const ruleWidth = 4

/**
 * The matrix. What has no room scrolls, so that the selection stays in sight; the heading says how much is out of
 * sight on each side. The line of the legend, if it has one, comes on top of the area.
 */
export function gridLines(
  view: GridView,
  figure: Figure,
  area: Area,
  { cellLines, hasLegendLine }: { readonly cellLines: CellLines; readonly hasLegendLine: boolean },
): readonly Line[] {
  const { width, height } = area
  const labelWidth =
    Math.max(3, ...view.rows.map(({ contextTokens }) => contextName(contextTokens).length)) + 1
  const sideWidth = view.hasPrefill ? (width < 80 ? prefillWidth.narrow : prefillWidth.wide) : 0
  const room = width - labelWidth - sideWidth
  const columns = sliceAround(
    view.concurrency.length,
    Math.floor(room / leastCellWidth),
    Math.max(0, view.selected.column),
  )
  const rows = sliceAround(view.rows.length, Math.floor((height - 2) / cellLines), view.selected.row)
  const shown = columns.to - columns.from
  const course = rowCourse(cellLines, room, shown)
  const cellWidth =
    shown === 0 ? 0 : Math.min(mostCellWidth, Math.floor((room - (course?.width ?? 0)) / shown))
  const shape = { labelWidth, sideWidth, cellWidth, cellLines, columns, course }
  const body = view.rows
    .slice(rows.from, rows.to)
    .flatMap((row, index) =>
      rowLines(row, figure, shape, rows.from + index === view.selected.row ? view.selected.column : null),
    )
  const beneath = cellLines === 1 ? '' : `, ${figureBeneath(figure).name} beneath`
  const about = width < 100 ? '' : `${figure.meaning}${beneath}`
  const name = `Decode ${figure.name}`
  const outOfSight = hidden(view, rows, columns)
  const marks = hasLegendLine ? [] : legend(view, width - name.length - lineWidth(outOfSight) - ruleWidth)
  const grid = fitHeight(
    [heading(name, about, [...outOfSight, ...marks], width), titles(view, shape), ...body],
    height,
  )
  return hasLegendLine ? [...grid, legend(view, width)] : grid
}

type Slice = { readonly from: number; readonly to: number }
type Shape = {
  readonly labelWidth: number
  readonly sideWidth: number
  readonly cellWidth: number
  readonly cellLines: CellLines
  readonly columns: Slice
  readonly course: RowCourse | null
}

/** Label, prefill and cells, one free column after each; those beside the selected one hold its frame. */
function rowLines(row: GridRow, figure: Figure, shape: Shape, selected: number | null): readonly Line[] {
  const { labelWidth, sideWidth, cellWidth, cellLines, columns, course } = shape
  const side = sideWidth === 0 ? [] : [prefillBlock(row.prefill, figure, sideWidth - 1, cellLines)]
  const blocks = [
    ...side,
    ...row.cells
      .slice(columns.from, columns.to)
      .map(cell => cellBlock(cell, figure, cellWidth - 1, cellLines)),
  ]
  const place = selected === null ? null : selected < 0 ? 0 : selected - columns.from + side.length
  const label = pad(contextName(row.contextTokens), labelWidth - 1, 'right')
  return Array.from(
    { length: cellLines },
    (_, line): Line => [
      span(line === 0 ? label : ' '.repeat(label.length), selected === null ? 'plain' : 'strong'),
      frame(0, place),
      ...blocks.flatMap((block, index) => [...(block[line] ?? []), frame(index + 1, place)]),
      ...(course === null ? [] : [span(rowCourseText(row, columns, course), 'series')]),
    ],
  )
}

/** What stands before the block of this index; the frame of the selected one is around it, not in it. */
function frame(index: number, selected: number | null) {
  if (selected === null || (index !== selected && index !== selected + 1)) return span(' ')
  return span(index === selected ? '▐' : '▌', 'selected')
}

/** `room` of `count` places around `focus`. */
function sliceAround(count: number, room: number, focus: number): Slice {
  const size = Math.min(count, Math.max(0, room))
  const from = Math.max(0, Math.min(count - size, focus - Math.floor(size / 2)))
  return { from, to: from + size }
}

function hidden(view: GridView, rows: Slice, columns: Slice): Line {
  const parts = [
    part('row', view.rows.length, rows, '↑', '↓'),
    part('column', view.concurrency.length, columns, '←', '→'),
  ]
  return parts.flatMap(text => (text === '' ? [] : [span(`${text}  `, 'warn')]))
}

function part(noun: string, count: number, { from, to }: Slice, before: string, after: string): string {
  const sides = [from === 0 ? '' : `${before}${from}`, to === count ? '' : `${after}${count - to}`]
  const text = sides.filter(side => side !== '').join(' ')
  return text === '' ? '' : `${text} more ${noun}${count - (to - from) === 1 ? '' : 's'}`
}

function titles({ concurrency, hasPrefill, selected }: GridView, shape: Shape): Line {
  const { labelWidth, sideWidth, cellWidth, columns, course } = shape
  const shown = concurrency.slice(columns.from, columns.to)
  const width = cellWidth - 2
  const full = shown.map(streams => `C=${streams}`)
  const texts = full.every(title => title.length <= width) ? full : shown.map(String)
  return [
    span(pad('ctx', labelWidth), 'dim'),
    // Without blanks around it the title spans a narrow column.
    ...(hasPrefill
      ? [
          span(
            pad(pad('prefill', Math.max(7, sideWidth - 2), 'right'), sideWidth),
            selected.column < 0 ? 'strong' : 'dim',
          ),
        ]
      : []),
    ...texts.map((title, index) =>
      span(`${pad(title, width, 'right')}  `, columns.from + index === selected.column ? 'strong' : 'dim'),
    ),
    ...(course === null ? [] : [span(course.title, 'dim')]),
  ]
}
