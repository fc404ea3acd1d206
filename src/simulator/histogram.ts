/** A Prometheus histogram: counts by upper bound, and their sum. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0
  count = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = bounds.map(() => 0)
  }

  observe(value: number, times = 1): void {
    this.sum += value * times
    this.count += times
    const bucket = this.bounds.findIndex(bound => value <= bound)
    if (bucket >= 0) this.counts[bucket] = (this.counts[bucket] ?? 0) + times
  }
}
