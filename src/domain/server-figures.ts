import type { ServerSample } from './server-sample.ts'
import { known, max, mean, sum } from './statistics.ts'

/** What the server said about itself inside the window; each `null` where it did not say. */
export type ServerFigures = {
  readonly running: { readonly mean: number | null; readonly max: number | null }
  /** `share`: part of the samples in which something was queued. */
  readonly queued: {
    readonly mean: number | null
    readonly max: number | null
    readonly share: number | null
  }
  readonly kvCacheUsage: { readonly mean: number | null; readonly max: number | null }
  readonly stateSlotUsage: { readonly mean: number | null; readonly max: number | null }
  /** By its live token counter, tok/s. */
  readonly tokensPerSecond: number | null
  readonly acceptLength: number | null
  readonly retractions: number | null
}

/** `windows`: the samples inside each window of a cell; counters are compared within one window only. */
export function serverFigures(windows: readonly (readonly ServerSample[])[]): ServerFigures {
  const samples = windows.flat()
  const queue = known(freshest(samples).map(sample => sample.queued))
  return {
    running: meanAndMax(freshest(samples).map(sample => sample.running)),
    queued: { ...meanAndMax(queue), share: mean(queue.map(depth => (depth > 0 ? 1 : 0))) },
    kvCacheUsage: meanAndMax(samples.map(sample => sample.kvCacheUsage)),
    stateSlotUsage: meanAndMax(samples.map(sample => sample.stateSlotUsage)),
    tokensPerSecond: mean(
      known(windows.map(window => counterRate(window, sample => sample.realtimeDecodeTokens))),
    ),
    acceptLength: mean(known(samples.map(sample => sample.acceptLength))),
    retractions: sumOrNull(windows.map(retractionsIn)),
  }
}

/** SGLang's counter appears with the first retraction: on a page that has other counters and lacks it, it was 0. */
export function retractionsIn(samples: readonly ServerSample[]): number | null {
  if (samples.every(({ retractions }) => retractions === null)) return null
  return counterIncrease(samples, ({ retractions, realtimeDecodeTokens }) =>
    retractions === null && realtimeDecodeTokens !== null ? 0 : retractions,
  )
}

/** The samples that tell of now; where the server has none of these, all of them (gauges do move under load). */
export function freshest(samples: readonly ServerSample[]): readonly ServerSample[] {
  const fresh = samples.filter(sample => sample.fresh)
  return fresh.length > 0 ? fresh : samples
}

/** Increase per second between the first and the last reading; `null` with fewer than 2, or when it fell (a restart). */
export function counterRate(
  samples: readonly ServerSample[],
  counter: (sample: ServerSample) => number | null,
): number | null {
  const readings = samples.filter(sample => counter(sample) !== null)
  const first = readings[0]
  const last = readings.at(-1)
  const increase = counterIncrease(samples, counter)
  if (first === undefined || last === undefined || increase === null || last.at <= first.at) return null
  return (increase / (last.at - first.at)) * 1000
}

/** Increase between the first and the last reading; `null` with fewer than 2, or when it fell. */
export function counterIncrease(
  samples: readonly ServerSample[],
  counter: (sample: ServerSample) => number | null,
): number | null {
  const values = known(samples.map(counter))
  const first = values[0]
  const last = values.at(-1)
  if (first === undefined || last === undefined || values.length < 2) return null
  const hasFallen = values.some((value, index) => value < (values[index - 1] ?? value))
  return hasFallen ? null : last - first
}

/** Share of the prompt tokens between the first and the last reading that were in the cache; `null`: not told, or none came. */
export function cacheHitShare(samples: readonly ServerSample[]): number | null {
  const computed = counterIncrease(samples, sample => sample.realtimePrefillTokens)
  const cached = counterIncrease(samples, sample => sample.realtimeCachedTokens)
  return computed === null || cached === null || computed + cached === 0 ? null : cached / (computed + cached)
}

const counters = [
  (sample: ServerSample) => sample.realtimeDecodeTokens,
  (sample: ServerSample) => sample.realtimePrefillTokens,
  (sample: ServerSample) => sample.realtimeCachedTokens,
  (sample: ServerSample) => sample.retractions,
] as const

/** Time of the last sample in which a counter had fallen: the server began anew. `null`: none did. */
export function restartedAt(samples: readonly ServerSample[]): number | null {
  return max(
    known(
      counters.map(counter => {
        const told = samples.filter(sample => counter(sample) !== null)
        const fallen = told.findLast(
          (sample, index) => (counter(sample) ?? 0) < (counter(told[index - 1] ?? sample) ?? 0),
        )
        return fallen?.at ?? null
      }),
    ),
  )
}

function meanAndMax(values: readonly (number | null)[]): {
  readonly mean: number | null
  readonly max: number | null
} {
  return { mean: mean(known(values)), max: max(known(values)) }
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return known(values).length === 0 ? null : sum(known(values))
}
