import { sum } from '../domain/statistics.ts'

export type RankAcceptLength = { readonly length: number | null; readonly running: number | null }

/**
 * Tokens for each step over all ranks, weighted by their running requests; `null` when no rank tells. SGLang reports 0 before the
 * first decode step and without speculation: that is no length.
 */
export function meanAcceptLength(ranks: readonly RankAcceptLength[]): number | null {
  const steps = ranks.flatMap(({ length, running }) =>
    length !== null && length > 0 ? [{ length, weight: running }] : [],
  )
  if (steps.length === 0) return null
  const weightOf = steps.every(({ weight }) => weight !== null && weight > 0)
    ? ({ weight }: { weight: number | null }) => weight ?? 1
    : () => 1
  return sum(steps.map(step => step.length * weightOf(step))) / sum(steps.map(weightOf))
}
