import { max, min } from '../domain/statistics.ts'
import { contextName, exact } from '../format/units.ts'
import type { ResultCell } from '../result/schema.ts'
import { describeLimit } from './limit-text.ts'
import { type Measurement, rate } from './measurements.ts'
import { reasonSentence } from './reason-text.ts'

/** A sentence and the cells that it is true of. */
export type CellNote = { readonly cells: readonly string[]; readonly sentence: string }

/** What a reader has to know of single cells, once for all that share it. */
export function cellNotes(measurements: readonly Measurement[]): readonly CellNote[] {
  const few = fewSamples(measurements)
  const told = new Map<string, string[]>()
  for (const measurement of measurements)
    for (const sentence of sentencesOf(measurement, few))
      told.set(sentence, [...(told.get(sentence) ?? []), nameOf(measurement)])
  return [...told].map(([sentence, cells]) => ({ cells, sentence }))
}

/** What cells with few requests share when their numbers differ: a short run has a row of them. `null`: they do not. */
function fewSamples(measurements: readonly Measurement[]): string | null {
  const numbers = measurements.flatMap(({ row: { reasons } }) =>
    reasons.flatMap(({ kind, n }) => (kind === 'few-samples' && typeof n === 'number' ? n : [])),
  )
  const [least, most] = [min(numbers), max(numbers)]
  return least === most ? null : `only ${least} to ${most} requests long enough to tell how requests differ`
}

/** What a cell that was cut short had. */
function interruption({ partial }: ResultCell): readonly string[] {
  if (partial === null || partial.totalTokensPerSecond === null) return []
  const until = `${rate(partial.totalTokensPerSecond.mean)} tok/s in ${exact(partial.windowSeconds, 1)} s`
  return [`interrupted: ${until} of its window, not to be compared`]
}

/** 8K × 4, prefill 8K */
function nameOf({ phase, row, concurrency }: Measurement): string {
  const context = contextName(row.contextTokens)
  return phase === 'prefill' ? `prefill ${context}` : `${context} × ${concurrency}`
}

/** Names in a row, the first six of many. */
export function nameAll(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown
}

const mostNames = 6

/** Only the binding limit keeps a cell from running. */
function sentencesOf(measurement: Measurement, few: string | null): readonly string[] {
  const { limit, reasons, measuredIn } = measurement.row
  return [
    ...(measurement.phase === 'decode' ? interruption(measurement.row) : []),
    ...(limit === null ? [] : [describeLimit(limit)]),
    ...reasons.map(reason => (reason.kind === 'few-samples' ? few : null) ?? reasonSentence(reason)),
    ...(measuredIn ? [`measured in an earlier run, of ${measuredIn.startedAt ?? 'an unknown time'}`] : []),
  ]
}
