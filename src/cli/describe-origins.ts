import { cleanText } from '../format/clean-text.ts'
import { table } from '../format/table.ts'
import type { Origin } from './flag-values.ts'

/** Which settings are not the default, and what says so; empty when all are. */
export function describeOrigins(origins: readonly Origin[]): string {
  const rows = origins
    .filter(({ name }) => name !== 'config' && name !== 'dryRun')
    .map(({ text, source }) => [cleanText(text), cleanText(source)])
  if (rows.length === 0) return ''
  const columns = [
    { title: 'setting', align: 'left' },
    { title: 'from', align: 'left' },
  ] as const
  return `\n${table(columns, rows).join('\n')}\n`
}
