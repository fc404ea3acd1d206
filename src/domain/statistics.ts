/** A distribution as the result file tells it; a percentile that needs more values than there are is `null`. */
export type Distribution = {
  readonly n: number
  readonly mean: number | null
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly max: number | null
}

/** Below these counts a percentile would be the maximum by another name. */
const minimumFor = { p90: 20, p99: 100 }

/** Of values in any order. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((a, b) => a - b)
  const n = sorted.length
  return {
    n,
    mean: mean(sorted),
    p50: quantile(sorted, 0.5),
    p90: n >= minimumFor.p90 ? quantile(sorted, 0.9) : null,
    p99: n >= minimumFor.p99 ? quantile(sorted, 0.99) : null,
    max: sorted.at(-1) ?? null,
  }
}

/** Of no values. */
export const emptyDistribution: Distribution = distribution([])

/** Quantile of ascending values, 0 <= q <= 1, linear between neighbours (Hyndman and Fan's type 7); `null` of nothing. */
export function quantile(sorted: readonly number[], q: number): number | null {
  const position = (sorted.length - 1) * q
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (position - Math.floor(position))
}

/** Of values in any order; `null` of nothing. */
export function median(values: readonly number[]): number | null {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
}

/** Arithmetic mean; `null` of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

/** `null` of nothing. */
export function max(values: readonly number[]): number | null {
  return values.reduce<number | null>((best, value) => (best === null || value > best ? value : best), null)
}

/** `null` of nothing. */
export function min(values: readonly number[]): number | null {
  return values.reduce<number | null>((best, value) => (best === null || value < best ? value : best), null)
}

/** 0 of nothing. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The values that are known. */
export function known<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value): value is T => value !== null)
}
