import { pad, textWidth } from './text-width.ts'

export type Column = { readonly title: string; readonly align: 'left' | 'right' }

/** Rows of equal width under their titles, each column as wide as its widest cell, two spaces apart. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...rows.map(row => textWidth(row[index] ?? ''))),
  )
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => pad(cells[index] ?? '', widths[index] ?? 0, align))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)]
}
