/** Where the delays of a client's threads are told: to its main thread, or in the file that this variable names. */
export const delayChannel = 'tokgrid-bench-delays'
export const delaysFile = 'TOKGRID_BENCH_DELAYS'

/** Counts of delays in steps of 0.1 ms. */
export class DelayCounts {
  counts: number[] = []

  add(ms: number): void {
    const bin = Math.max(0, Math.round(ms * 10))
    this.counts[bin] = (this.counts[bin] ?? 0) + 1
  }

  merge(others: readonly (number | undefined)[]): void {
    for (const [bin, count] of others.entries())
      if (count !== undefined) this.counts[bin] = (this.counts[bin] ?? 0) + count
  }

  take(): number[] {
    const { counts } = this
    this.counts = []
    return counts
  }

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }

  /** ms */
  quantile(q: number): number {
    const wanted = q * this.total
    let seen = 0
    for (const [bin, count = 0] of this.counts.entries()) {
      seen += count
      if (seen >= wanted) return bin / 10
    }
    return Number.NaN
  }
}
