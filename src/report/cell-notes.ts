import { tokens } from '../format/units.ts'
import { describeLimit } from './limit-text.ts'
import type { Measurement } from './measurements.ts'
import { reasonSentence } from './reason-text.ts'

/** A sentence and the cells that it is true of. */
export type CellNote = { readonly cells: readonly string[]; readonly sentence: string }

/** What a reader has to know of single cells, once for all that share it. */
export function cellNotes(measurements: readonly Measurement[]): readonly CellNote[] {
  const told = new Map<string, string[]>()
  for (const measurement of measurements)
    for (const sentence of sentencesOf(measurement))
      told.set(sentence, [...(told.get(sentence) ?? []), nameOf(measurement)])
  return [...told].map(([sentence, cells]) => ({ cells, sentence }))
}

/** 8K × 4, prefill 8K */
export function nameOf({ phase, row, concurrency }: Measurement): string {
  const context = tokens(row.contextTokens)
  return phase === 'prefill' ? `prefill ${context}` : `${context} × ${concurrency}`
}

/** Names in a row, the first six of many. */
export function nameAll(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown
}

const mostNames = 6

/** Only the binding limit keeps a cell from running. */
function sentencesOf({ row: { limit, reasons, measuredIn } }: Measurement): readonly string[] {
  return [
    ...(limit === null ? [] : [describeLimit(limit)]),
    ...reasons.map(reasonSentence),
    ...(measuredIn ? [`measured in an earlier run, of ${measuredIn.startedAt ?? 'an unknown time'}`] : []),
  ]
}
