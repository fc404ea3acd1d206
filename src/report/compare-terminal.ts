import { toAscii } from '../format/ascii.ts'
import { foldedTable } from '../format/table.ts'
import { wrap } from '../format/wrap.ts'
import type { Comparison } from './compare-model.ts'
import { compareSections, type Section } from './compare-sections.ts'
import { labelColumns } from './compare-tables.ts'

/** The comparison as plain text of at most `width` columns where words allow it; ends with a newline. */
export function compareTerminal(
  comparison: Comparison,
  { width, ascii }: { readonly width: number; readonly ascii: boolean },
): string {
  const text = compareSections(comparison)
    .map(section => sectionLines(section, width).join('\n'))
    .join('\n\n')
  return `${ascii ? text.split('\n').map(toAscii).join('\n') : text}\n`
}

function sectionLines({ heading, lines, table }: Section, width: number): readonly string[] {
  const rows =
    table === null ? [] : foldedTable(table.columns, table.rows, width - 2, labelColumns(table)).flat()
  return [
    ...wrap(heading, width),
    ...[...lines.flatMap(line => wrap(line, width - 2)), ...rows].map(line => `  ${line}`),
  ]
}
