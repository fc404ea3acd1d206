import type { Estimate } from './compare-figure.ts'
import { type Intervals, studentT } from './interval.ts'
import { type Distribution, mean, sum } from './statistics.ts'

/** See `throughputEstimate`. */
const coverageFactor = 1.1
/** Percentiles that carry an interval need at least so many values. */
const fewestValues = 4
/** Standard error of a median / (standard deviation / √n), for normal values; a midmean has less. */
const medianFactor = Math.sqrt(Math.PI / 2)

/**
 * Total tok/s with the interval that the cell shows: half-width / Student's t of the method that gave it. In simulated
 * decode the interval holds the truth in 94 % of windows, not in 95 %, because the parts of requests in it are of unequal
 * length: so the error is taken 10 % larger, with one degree of freedom less (equal runs then differ in 3 to 5 %).
 */
export function throughputEstimate(
  throughput: (Intervals & { readonly mean: number }) | null,
): Estimate | null {
  if (throughput === null || throughput.mean <= 0) return null
  const { mean: value, ci95, batchMeans, requestLevel } = throughput
  const { n } = batchMeans.ci95 === ci95 ? batchMeans : requestLevel
  if (ci95 === null || n < 3) return { value, error: null }
  const standardError = ci95 / studentT(n - 1)
  return { value, error: { variance: ((coverageFactor * standardError) / value) ** 2, degrees: n - 2 } }
}

/**
 * Steps/s, from the spread of the gaps between chunks. The streams of a cell share a decode step, so their gaps are not
 * independent: only the steps of the window count as values, not all gaps.
 */
export function stepsEstimate(
  stepsPerSecond: number | null,
  windowSeconds: number | null,
  gaps: Distribution | null,
): Estimate | null {
  if (stepsPerSecond === null || stepsPerSecond <= 0) return null
  const steps = gaps === null || windowSeconds === null ? 0 : Math.floor(windowSeconds * stepsPerSecond)
  const median = gaps === null ? null : medianEstimate({ ...gaps, n: Math.min(steps, gaps.n) })
  return { value: stepsPerSecond, error: median?.error ?? null }
}

/**
 * A median whose standard error comes from the spread above it, all that a result keeps: p90 - p50 from 20 values on (1.28
 * standard deviations of normal values: wide enough for evenly spread ones, too), else max - p50. Two kinds of values in
 * equal parts, or a long tail below, would need more.
 */
export function medianEstimate(values: Distribution | null): Estimate | null {
  if (values === null || values.p50 === null || values.p50 <= 0) return null
  const { n, p50: value, p90, max } = values
  const upper = p90 ?? max
  if (upper === null || n < fewestValues) return { value, error: null }
  return { value, error: { variance: (medianFactor * (upper / value - 1)) ** 2 / n, degrees: n - 1 } }
}

/** Prompt tok/s of cold samples; a single one tells no error. */
export function prefillEstimate(
  tokensPerSecond: number | null,
  samples: readonly { readonly promptTokens: number | null; readonly ttftMs: number }[],
): Estimate | null {
  if (tokensPerSecond === null || tokensPerSecond <= 0) return null
  const rates = samples.flatMap(({ promptTokens, ttftMs }) =>
    promptTokens === null || promptTokens <= 0 || ttftMs <= 0 ? [] : [Math.log(promptTokens / ttftMs)],
  )
  const centre = mean(rates)
  if (centre === null || rates.length < 2) return { value: tokensPerSecond, error: null }
  const degrees = rates.length - 1
  const variance = sum(rates.map(rate => (rate - centre) ** 2)) / degrees / rates.length
  return { value: tokensPerSecond, error: { variance, degrees } }
}
