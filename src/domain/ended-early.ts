import type { CellPass } from './cell-summary.ts'
import { mean, sum } from './statistics.ts'
import type { Reason } from './verdict.ts'

/** An answer of less than this share of what was asked for ended early; a token less is a server's way of counting. */
const wholeShare = 0.99
const earlyShareLimit = 0.01

/**
 * Whether answers ended by themselves although the server was asked to go on to their full length: then restarts come
 * more often than planned, and sequences are shorter. Only where the server counts the tokens.
 */
export function endedEarly(passes: readonly CellPass[]): Reason[] {
  const answers = passes
    .flatMap(({ traces }) => traces)
    .filter(({ outcome, counting }) => outcome.kind === 'completed' && counting !== 'chunks')
  const early = answers.filter(({ outputTokens, maxTokens }) => outputTokens + 1 < wholeShare * maxTokens)
  const meanTokens = mean(early.map(({ outputTokens }) => outputTokens))
  if (meanTokens === null || early.length <= earlyShareLimit * answers.length) return []
  const askedTokens = sum(early.map(({ maxTokens }) => maxTokens)) / early.length
  return [{ kind: 'ended-early', requests: early.length, of: answers.length, meanTokens, askedTokens }]
}
