import type { GapHistogram } from './load-record.ts'
import { type Distribution, emptyDistribution } from './statistics.ts'

/** A gap of more than this many medians is a stall: other requests' prefill ran in between. */
const stallFactor = 3
/** No engine makes the tokens of a stream faster: a chunk that follows closer came together with the one before. */
const quickestStepMs = 0.1

/** The gaps of all of these as one histogram. */
export function mergeGaps(histograms: readonly GapHistogram[]): GapHistogram {
  const counts = new Map<number, number>()
  for (const [microseconds, count] of histograms.flat())
    counts.set(microseconds, (counts.get(microseconds) ?? 0) + count)
  return [...counts].sort(([a], [b]) => a - b)
}

/** The gaps as a distribution in ms. All are there, so p90 and p99 are given from the first gap on. */
export function gapDistribution(gaps: GapHistogram): Distribution {
  const n = countOf(gaps)
  if (n === 0) return emptyDistribution
  const total = gaps.reduce((sum, [microseconds, count]) => sum + microseconds * count, 0)
  return {
    n,
    mean: total / n / 1000,
    p50: gapQuantile(gaps, n, 0.5),
    p90: gapQuantile(gaps, n, 0.9),
    p99: gapQuantile(gaps, n, 0.99),
    max: (gaps.at(-1)?.[0] ?? 0) / 1000,
  }
}

/**
 * The time of one step, ms: mean of the middle half of the gaps (midmean). As little moved by stalls as the median, and
 * closer where stamps scatter about the step. The median where the middle half is wider than the step: then gaps are of
 * different kinds, as when several chunks come at once. `null` without gaps, and where most chunks come together.
 */
export function typicalGapMs(gaps: GapHistogram): number | null {
  const n = countOf(gaps)
  const quartile = (q: number) => gapQuantile(gaps, n, q / 4)
  const [low, median, high] = [quartile(1), quartile(2), quartile(3)]
  if (median !== null && median < quickestStepMs) return null
  if (low === null || median === null || high === null || high - low >= median) return median
  const [from, to] = [n / 4, (3 * n) / 4]
  let [seen, microseconds] = [0, 0]
  for (const [gap, count] of gaps) {
    microseconds += gap * Math.max(0, Math.min(to, seen + count) - Math.max(from, seen))
    seen += count
  }
  return microseconds / (to - from) / 1000
}

/** Share of the gaps after which the next chunk came together with the one before; `null` without gaps. */
export function togetherShare(gaps: GapHistogram): number | null {
  const n = countOf(gaps)
  return n === 0 ? null : countOf(gaps.filter(([microseconds]) => microseconds / 1000 < quickestStepMs)) / n
}

/** Time in gaps longer than 3 times the median, ms, summed over streams. */
export function stalledMs(gaps: GapHistogram): number {
  const typical = gapQuantile(gaps, countOf(gaps), 0.5)
  if (typical === null) return 0
  return gaps.reduce(
    (sum, [microseconds, count]) =>
      microseconds / 1000 > stallFactor * typical ? sum + (microseconds / 1000) * count : sum,
    0,
  )
}

/** How many gaps there are. */
export function countOf(gaps: GapHistogram): number {
  return gaps.reduce((sum, [, count]) => sum + count, 0)
}

/** Nearest rank, ms. */
function gapQuantile(gaps: GapHistogram, n: number, q: number): number | null {
  const rank = Math.max(1, Math.ceil(q * n))
  let seen = 0
  for (const [microseconds, count] of gaps) {
    seen += count
    if (seen >= rank) return microseconds / 1000
  }
  return null
}
