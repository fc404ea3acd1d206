import { fitLine, type Line, span } from './span.ts'

const gap = 2

/** How many columns of this width stand beside one another; at least one. */
export function columnsIn(width: number, column: number): number {
  return Math.max(1, Math.floor((width + gap) / (column + gap)))
}

/** Columns of equal width that share the room. */
export function columnWidth(width: number, across: number): number {
  return Math.floor((width - gap * (across - 1)) / Math.max(1, across))
}

/** The lines in columns of this width, read downwards; what the last column lacks stays free. */
export function inColumns(lines: readonly Line[], across: number, width: number): readonly Line[] {
  const rows = Math.ceil(lines.length / across)
  const columns = Array.from({ length: across }, (_, column) =>
    lines.slice(column * rows, (column + 1) * rows),
  )
  return beside(columns, rows, width)
}

/** Blocks of this width beside one another, in so many lines. */
export function beside(blocks: readonly (readonly Line[])[], height: number, width: number): readonly Line[] {
  return Array.from(
    { length: height },
    (_, line): Line =>
      blocks.flatMap((block, column) => [
        ...(column === 0 ? [] : [span(' '.repeat(gap))]),
        ...fitLine(block[line] ?? [], width),
      ]),
  )
}
