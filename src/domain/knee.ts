/** What decides where a row bends: tok/s of all streams at a concurrency; `null`: not measured, or not to be compared. */
export type RowPoint = { readonly concurrency: number; readonly tokensPerSecond: number | null }

/** Doubling the streams has to gain this share of total tok/s to be worth it. */
const worthwhileGain = 0.1

/**
 * The knee of a row: the smallest concurrency after which doubling the streams gains less than 10 % total tok/s. Two
 * neighbours C and C' are compared by the gain of one doubling, (T' / T) ^ (1 / log2(C' / C)) - 1. `points` in
 * ascending order; `null`: the row has not bent as far as it was measured.
 */
export function kneeOf(points: readonly RowPoint[]): number | null {
  const measured = points.flatMap(({ concurrency, tokensPerSecond }) =>
    tokensPerSecond === null || tokensPerSecond <= 0 ? [] : [{ concurrency, tokensPerSecond }],
  )
  const knee = measured.find((point, index) => {
    const next = measured[index + 1]
    if (next === undefined) return false
    const doublings = Math.log2(next.concurrency / point.concurrency)
    return (next.tokensPerSecond / point.tokensPerSecond) ** (1 / doublings) - 1 < worthwhileGain
  })
  return knee?.concurrency ?? null
}
