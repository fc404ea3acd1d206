import { pad, textWidth } from './text-width.ts'

/** The head of a column, and where its texts stand. */
export type Column = { readonly title: string; readonly align: 'left' | 'right' }

type Row = readonly string[]

/** Rows of equal width under their titles, each column as wide as its widest cell, two spaces apart. */
export function table(columns: readonly Column[], rows: readonly Row[]): readonly string[] {
  const widths = columnWidths(columns, rows)
  const line = (cells: Row) =>
    columns
      .map(({ align }, index) => pad(cells[index] ?? '', widths[index] ?? 0, align))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)]
}

/**
 * The table in blocks of at most `width` columns of text, one below the other; each begins with the first `fixed`
 * columns and leaves out the rows that have nothing in it. A block holds at least one column more.
 */
export function foldedTable(
  columns: readonly Column[],
  rows: readonly Row[],
  width: number,
  fixed: number,
): readonly (readonly string[])[] {
  const widths = columnWidths(columns, rows)
  const start = widths.slice(0, fixed).reduce((sum, one) => sum + one + 2, 0)
  const blocks: number[][] = []
  let used = Number.POSITIVE_INFINITY
  for (let index = fixed; index < columns.length; index++) {
    const wanted = widths[index] ?? 0
    if (used + wanted > width) {
      blocks.push([])
      used = start
    }
    blocks.at(-1)?.push(index)
    used += wanted + 2
  }
  return blocks.map(block => {
    const indexes = [...columns.keys()].filter(index => index < fixed || block.includes(index))
    const filled = rows.filter(row => block.some(index => (row[index] ?? '') !== ''))
    return table(
      indexes.flatMap(index => columns[index] ?? []),
      filled.map(row => indexes.map(index => row[index] ?? '')),
    )
  })
}

function columnWidths(columns: readonly Column[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...rows.map(row => textWidth(row[index] ?? ''))),
  )
}
