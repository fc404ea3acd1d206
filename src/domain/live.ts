import type { LoadTick } from './load-record.ts'
import type { Job } from './run-state.ts'
import { type CellSeries, sampledSeries } from './series.ts'
import { mean } from './statistics.ts'

/** What the streams of the running cell do now, from the ticks of the load threads. `null`: nothing to tell yet. */
export type LiveLoad = {
  readonly tokensPerSecond: number
  readonly active: number
  readonly waiting: number
  /** Mean inter-token latency of the active streams, ms. */
  readonly itlMs: number | null
}

/** Rates over about the last second. */
const spanMs = 1000

/** Of the latest ticks, about a second of them; `null` before the first. */
export function liveLoad(ticks: readonly LoadTick[]): LiveLoad | null {
  const latest = ticks.at(-1)
  if (latest === undefined) return null
  const recent = ticks.filter(({ at }) => at > latest.at - spanMs)
  const ms = recent.reduce((total, tick) => total + tick.spanMs, 0)
  const tokens = recent.reduce((total, tick) => total + tick.tokens, 0)
  const activeMs = recent.reduce((total, tick) => total + tick.active * tick.spanMs, 0)
  return {
    tokensPerSecond: ms === 0 ? 0 : (tokens / ms) * 1000,
    active: latest.active,
    waiting: latest.waiting,
    itlMs: tokens === 0 ? null : activeMs / tokens,
  }
}

/**
 * Course of the running cell, one point for each bucket of ticks, oldest first: tok/s, mean TTFT and mean ITL in ms.
 * `null`: the load threads told nothing in it.
 */
export type LiveCourse = {
  readonly tokensPerSecond: readonly (number | null)[]
  readonly ttftMs: readonly (number | null)[]
  readonly itlMs: readonly (number | null)[]
}

/** The first bucket begins at `first`, by default with the first tick. */
export function liveCourse(
  ticks: readonly LoadTick[],
  bucketMs: number,
  first = ticks[0]?.at ?? 0,
): LiveCourse {
  const buckets: LoadTick[][] = []
  for (const tick of ticks) {
    const index = Math.floor((tick.at - first) / bucketMs)
    while (buckets.length <= index) buckets.push([])
    buckets[index]?.push(tick)
  }
  return {
    tokensPerSecond: buckets.map(bucket => liveTokens(bucket)),
    ttftMs: buckets.map(bucket => mean(bucket.flatMap(tick => tick.ttftMs))),
    itlMs: buckets.map(bucket => liveLoad(bucket)?.itlMs ?? null),
  }
}

function liveTokens(bucket: readonly LoadTick[]): number | null {
  const ms = bucket.reduce((total, tick) => total + tick.spanMs, 0)
  return ms === 0 ? null : (bucket.reduce((total, tick) => total + tick.tokens, 0) / ms) * 1000
}

/** A course of which some of tok/s may be unknown as well. */
export type LiveSeries = Omit<CellSeries, 'tokensPerSecond'> & Pick<LiveCourse, 'tokensPerSecond'>

/** Load threads tell five times a second: in a shorter point none or one of them would have been. */
const leastPointMs = 400

/**
 * The running cell so far, in the shape of a finished one's course: since its window opened, before that since its
 * streams were started. `null` before the first tick.
 */
export function liveSeries({
  ticks,
  samples,
  window,
}: Pick<Job, 'ticks' | 'samples' | 'window'>): LiveSeries | null {
  const first = ticks[0]
  if (first === undefined) return null
  const from = window?.from ?? first.at - first.spanMs
  const sliceMs = Math.max(leastPointMs, window?.sliceMs ?? 1000)
  const { tokensPerSecond, ttftMs } = liveCourse(
    ticks.filter(({ at }) => at > from),
    sliceMs,
    from,
  )
  const slices = tokensPerSecond.map((_, index) => ({
    start: from + index * sliceMs,
    end: from + (index + 1) * sliceMs,
  }))
  return { secondsPerPoint: sliceMs / 1000, tokensPerSecond, ttftMs, ...sampledSeries(samples, slices) }
}
