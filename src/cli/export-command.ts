import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'
import { amount } from '../format/units.ts'
import { toJsonLines } from '../result/export-json-lines.ts'
import { toLlmInferenceBench } from '../result/export-llm-inference-bench.ts'
import { toLocalMaxxing } from '../result/export-localmaxxing.ts'
import { toOpenMetrics } from '../result/export-openmetrics.ts'
import type { RunResult } from '../result/schema.ts'
import type { Command } from './commands.ts'
import { readFlags } from './flags.ts'
import { parseTokens } from './quantities.ts'
import { readResultFile } from './read-result-file.ts'
import { refuseOverwriting, writeReport } from './report-file.ts'

const formats = ['llm-inference-bench', 'localmaxxing', 'openmetrics', 'jsonl'] as const
type Format = (typeof formats)[number]
type Place = { readonly contextTokens: number; readonly concurrency: number }

const cell = z.string().transform((text, context): Place => {
  const [, length, streams] = /^([^x×]+)[x×](\d+)$/i.exec(text.trim()) ?? []
  const contextTokens = length === undefined ? null : parseTokens(length)
  if (contextTokens !== null) return { contextTokens, concurrency: Number(streams) }
  context.addIssue({ code: 'custom', message: `"${text}" is not a cell (try 8kx1)` })
  return z.NEVER
})

const exportFlags = z.object({
  format: z.enum(formats, {
    error: ({ input }) => `${input === undefined ? 'is needed:' : 'is one of'} ${formats.join(', ')}`,
  }),
  output: z.string().default('-'),
  cell: z.array(cell).default([]),
})

/** `tokgrid export`: a result in another tool's format, to a file or stdout. Returns the exit code. */
export const exportCommand: Command = async (raw, words, context) => {
  const { format, output, cell: places } = readFlags(exportFlags, raw)
  const [path, ...others] = words
  if (path === undefined || others.length > 0)
    throw new TokgridError('usage', 'one file is needed', 'tokgrid export FILE --format jsonl')
  refuseOverwriting(output, words)
  const { text, note } = exported(onlyCells(readResultFile(path), places), format)
  writeReport(text, output, context)
  if (note !== null) context.stderr.write(`${note}\n`)
  return 0
}

function onlyCells(result: RunResult, places: readonly Place[]): RunResult {
  if (places.length === 0) return result
  const decode = places.map(place => {
    const found = result.decode.find(
      ({ contextTokens, concurrency }) =>
        contextTokens === place.contextTokens && concurrency === place.concurrency,
    )
    if (found !== undefined) return found
    throw new TokgridError('usage', `--cell: no cell of ${place.contextTokens} tokens × ${place.concurrency}`)
  })
  return { ...result, decode }
}

function exported(
  result: RunResult,
  format: Format,
): { readonly text: string; readonly note: string | null } {
  switch (format) {
    case 'llm-inference-bench':
      return { text: `${JSON.stringify(toLlmInferenceBench(result), null, 1)}\n`, note: null }
    case 'openmetrics':
      return { text: toOpenMetrics(result), note: null }
    case 'jsonl':
      return { text: toJsonLines(result), note: null }
    case 'localmaxxing': {
      const payloads = toLocalMaxxing(result)
      return { text: payloads.map(one => `${JSON.stringify(one)}\n`).join(''), note: missing(payloads) }
    }
    default:
      return format satisfies never
  }
}

type Payload = Readonly<Record<string, unknown>>

/** What the user has to fill in before the payloads can be sent. */
function missing(payloads: readonly Payload[]): string {
  if (payloads.length === 0) return 'no cell is valid: there is nothing to publish'
  const known = new Set(payloads.flatMap(payload => names(payload, value => value !== null)))
  const unknown = new Set(payloads.flatMap(payload => names(payload, value => value === null)))
  const toFill = [...unknown].filter(name => !known.has(name))
  const written = `${amount(payloads.length, 'payload')}, nothing was sent`
  return toFill.length === 0 ? written : `${written}; not known, for you to fill in: ${toFill.join(', ')}`
}

function names(payload: Payload, wanted: (value: unknown) => boolean, path = ''): string[] {
  return Object.entries(payload).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? names({ ...value }, wanted, `${path}${name}.`)
      : wanted(value)
        ? [`${path}${name}`]
        : [],
  )
}
