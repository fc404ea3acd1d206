import { sparkline } from '../format/sparkline.ts'
import type { CellLines } from './layout.ts'
import type { GridRow } from './select-grid.ts'

/** The course of TTFT over the concurrencies of a row, at its end: where cells have no line for one of their own. */
export type RowCourse = { readonly width: number; readonly title: string }

/** Cells keep at least so many columns. */
const leastCellWidth = 7
const leastColumns = 4
const gap = 1

export function rowCourse(cellLines: CellLines, room: number, columns: number): RowCourse | null {
  const width = gap + Math.max(leastColumns, columns)
  if (cellLines > 1 || columns < 3 || (room - width) / columns < leastCellWidth) return null
  return { width, title: ' TTFT' }
}

export function rowCourseText(
  { ttft }: GridRow,
  { from, to }: { readonly from: number; readonly to: number },
  { width }: RowCourse,
): string {
  const shown = ttft.slice(from, to)
  return ' '.repeat(gap) + sparkline(shown, shown.length).padEnd(width - gap)
}
