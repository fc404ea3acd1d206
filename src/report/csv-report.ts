import { cleanText } from '../format/clean-text.ts'
import { cellNotes } from './cell-notes.ts'
import type { NamedResult } from './compare-model.ts'
import { figureOf, figures, type Measurement, measurementsOf, type Value } from './measurements.ts'

type Column = { readonly name: string; readonly of: (measurement: Measurement, run: NamedResult) => Value }

/** One row for each prefill row and cell of all runs (RFC 4180). Figures have the names of the result file and all digits. */
export function csvReport(runs: readonly NamedResult[]): string {
  const rows = runs.flatMap(run =>
    measurementsOf(run.result).map(measurement => columns.map(({ of }) => of(measurement, run))),
  )
  return [columns.map(({ name }) => name), ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('')
}

const columns: readonly Column[] = [
  { name: 'run', of: (_, { name }) => name },
  { name: 'startedAt', of: (_, { result }) => result.run.startedAt },
  { name: 'tool', of: (_, { result }) => `${result.tool.name} ${result.tool.version ?? ''}`.trim() },
  { name: 'engine', of: (_, { result }) => result.server.engine.name },
  { name: 'engineVersion', of: (_, { result }) => result.server.engine.version },
  { name: 'quantization', of: (_, { result }) => result.server.engine.quantization },
  { name: 'model', of: (_, { result }) => result.server.model.id },
  { name: 'gpu', of: (_, { result }) => result.hardware.gpus?.[0]?.name ?? null },
  { name: 'gpuCount', of: (_, { result }) => result.hardware.gpus?.length ?? null },
  { name: 'phase', of: ({ phase }) => phase },
  { name: 'contextTokens', of: ({ row }) => row.contextTokens },
  { name: 'concurrency', of: ({ concurrency }) => concurrency },
  { name: 'measuredInRun', of: ({ row }, { result }) => row.measuredIn?.runId ?? result.run.id },
  { name: 'status', of: ({ row }) => row.status },
  { name: 'reasons', of: ({ row }) => row.reasons.map(({ kind }) => kind).join(' ') },
  {
    name: 'notes',
    of: measurement =>
      cellNotes([measurement])
        .map(({ sentence }) => sentence)
        .join('; '),
  },
  ...figures.map(figure => ({ name: figure.path, of: (one: Measurement) => figureOf(figure, one) })),
]

/** A spreadsheet would compute a text that begins like a formula; an apostrophe before it says that it is text. */
function field(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = cleanText(value)
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
