import type { CellPass } from './cell-summary.ts'
import { mean, sum } from './statistics.ts'

/**
 * Half-widths of the 95 % interval of a cell's total tok/s, by two methods; the larger one counts. Batch means over
 * slices see what all streams share (prefill of others, the machine); the request level sees what differs from request
 * to request (speculative acceptance), which slices of one window all have in common and so cannot see.
 */
export type Intervals = {
  readonly ci95: number | null
  readonly batchMeans: { readonly ci95: number | null; readonly n: number }
  readonly requestLevel: { readonly ci95: number | null; readonly n: number }
}

/** Slices are joined to so many batches: fewer and the variance is poorly known, more and neighbours depend on each other. */
const batches = 15
/** Shorter parts of a request say little about its speed. */
const shortestSegmentMs = 2000
/** Below this an interval would be a guess. */
const fewestValues = 3

/** Both intervals of a cell over all its passes; `null` where there are too few values. */
export function throughputIntervals(passes: readonly CellPass[]): Intervals {
  const batchMeans = batchInterval(passes.flatMap(batchRates))
  const requestLevel = requestInterval(passes)
  const known = [batchMeans.ci95, requestLevel.ci95].filter(value => value !== null)
  return { ci95: requestLevel.ci95 === null ? null : Math.max(...known), batchMeans, requestLevel }
}

/** The half-width as a share of tok/s: how well it is known. `null`: not at all. */
export function relativeInterval(
  throughput: { readonly mean: number; readonly ci95: number | null } | null,
): number | null {
  if (throughput === null || throughput.ci95 === null || throughput.mean === 0) return null
  return throughput.ci95 / throughput.mean
}

/** Total tok/s in consecutive batches of whole slices. */
function batchRates({ counts: { window, sliceTokens } }: CellPass): number[] {
  const perBatch = Math.max(1, Math.floor(sliceTokens.length / batches))
  const rates: number[] = []
  for (let first = 0; first + perBatch <= sliceTokens.length; first += perBatch) {
    const end = Math.min(window.to, window.from + (first + perBatch) * window.sliceMs)
    const seconds = (end - window.from - first * window.sliceMs) / 1000
    rates.push(sum(sliceTokens.slice(first, first + perBatch)) / seconds)
  }
  return rates
}

/** t × s / √n of equally long batches (Law, Simulation Modeling and Analysis, 9.5.3). */
function batchInterval(rates: readonly number[]): Intervals['batchMeans'] {
  const n = rates.length
  const centre = mean(rates)
  if (n < fewestValues || centre === null) return { ci95: null, n }
  const variance = sum(rates.map(rate => (rate - centre) ** 2)) / (n - 1)
  return { ci95: studentT(n - 1) * Math.sqrt(variance / n), n }
}

/**
 * One rate for each request's part of the window, weighted by its length d: variance of the weighted mean
 * n / (n - 1) × Σ (d / Σd)² (rate - mean)², scaled from one stream to all that were active.
 */
function requestInterval(passes: readonly CellPass[]): Intervals['requestLevel'] {
  const segments = passes.flatMap(({ traces }) =>
    traces.flatMap(({ window }) => {
      if (window === null || window.lastAt - window.firstAt < shortestSegmentMs) return []
      const seconds = (window.lastAt - window.firstAt) / 1000
      return [{ seconds, rate: (window.tokens - window.firstChunkTokens) / seconds }]
    }),
  )
  const n = segments.length
  if (n < fewestValues) return { ci95: null, n }
  const total = sum(segments.map(({ seconds }) => seconds))
  const centre = sum(segments.map(({ seconds, rate }) => seconds * rate)) / total
  const spread = sum(segments.map(({ seconds, rate }) => ((seconds / total) * (rate - centre)) ** 2))
  const windowSeconds = sum(passes.map(({ counts: { window } }) => window.to - window.from)) / 1000
  const streams = total / windowSeconds
  return { ci95: studentT(n - 1) * Math.sqrt((n / (n - 1)) * spread) * streams, n }
}

/**
 * The 97.5 % quantile of Student's t: exact for 2 degrees of freedom, else its expansion in 1 / df around the normal
 * quantile (Abramowitz and Stegun 26.7.5), within 0.1 % from 3 degrees on.
 */
export function studentT(degrees: number): number {
  if (degrees <= 2) return degrees === 2 ? 4.302653 : 12.706205
  const z = 1.959964
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ]
  return terms.reduce((t, term, index) => t + term / degrees ** (index + 1), z)
}
