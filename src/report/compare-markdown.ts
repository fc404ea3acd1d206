import type { Comparison } from './compare-model.ts'
import { compareSections, type Section } from './compare-sections.ts'
import { labelColumns, type Table } from './compare-tables.ts'
import { markdownTable, sentence } from './markdown-text.ts'

/** The comparison as markdown for GitHub; ends with a newline. */
export function compareMarkdown(comparison: Comparison): string {
  return `${compareSections(comparison).map(sectionText).join('\n\n')}\n`
}

function sectionText({ heading, lines, table }: Section, index: number): string {
  const title = `${index === 0 ? '#' : '##'} ${sentence(heading)}`
  const list = lines.map(line => `- ${sentence(line)}`).join('\n')
  return [title, list, table === null ? '' : tableText(table)].filter(part => part !== '').join('\n\n')
}

function tableText(table: Table): string {
  const { columns, rows } = table
  const cells = (row: readonly string[]) => row.map(cell => sentence(cell.trim()))
  return markdownTable(cells(columns.map(({ title }) => title)), rows.map(cells), labelColumns(table)).join(
    '\n',
  )
}
