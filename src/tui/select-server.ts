import type { RunState } from '../domain/run-state.ts'
import { counterRate } from '../domain/server-figures.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import { known, mean } from '../domain/statistics.ts'

/** The inference server as its own metrics tell it; histories have one point for each second, oldest first. */
export type ServerView =
  | { readonly kind: 'no-metrics' }
  | { readonly kind: 'no-sample' }
  | {
      readonly kind: 'sampled'
      /** Age of the last sample in seconds when it is too old to speak of now. */
      readonly staleSeconds: number | null
      readonly kvUsage: Reading
      readonly kvUsedTokens: number | null
      readonly kvCapacityTokens: number | null
      readonly running: Reading
      readonly queued: Reading
      readonly tokensPerSecond: Reading
      readonly acceptLength: number | null
      readonly stateSlotUsage: number | null
      /** Since the first sample kept. */
      readonly retractions: number | null
      readonly missed: string | null
    }

export type Reading = { readonly value: number | null; readonly history: readonly (number | null)[] }

const staleMs = 3000
/** A point's share of the samples: more than a second, because scrapes come a little late. */
const secondMs = 1500
/** Span of a rate by counters; scrapes come every second. */
const rateMs = 2500

export function selectServer(state: RunState, now: number, seconds: number): ServerView {
  const { features } = state.server ?? {}
  if (features !== undefined && !features.metrics && !features.loads) return { kind: 'no-metrics' }
  const latest = state.samples.at(-1)
  if (latest === undefined) return { kind: 'no-sample' }
  const recent = state.samples.filter(({ at }) => at > latest.at - (seconds + 3) * 1000)
  const current = recent.filter(({ at }) => at > latest.at - staleMs)
  const last = (figure: SampleFigure) => known(current.map(figure)).at(-1) ?? null
  const reading = (figure: SampleFigure): Reading => ({
    value: last(figure),
    history: bySecond(recent, latest.at, seconds, second => mean(known(second.map(figure)))),
  })
  const rate = (until: number) =>
    counterRate(
      recent.filter(({ at }) => at <= until && at > until - rateMs),
      sample => sample.realtimeDecodeTokens,
    )
  const retractions = known(state.samples.map(sample => sample.retractions))
  return {
    kind: 'sampled',
    staleSeconds: now - latest.at > staleMs ? (now - latest.at) / 1000 : null,
    kvUsage: reading(sample => sample.kvCacheUsage),
    kvUsedTokens: last(sample => sample.kvUsedTokens),
    kvCapacityTokens: last(sample => sample.kvCapacityTokens),
    running: reading(sample => sample.running),
    queued: reading(sample => sample.queued),
    tokensPerSecond: {
      value: rate(latest.at),
      history: bySecond(recent, latest.at, seconds, second => rate(second.at(-1)?.at ?? 0)),
    },
    acceptLength: last(sample => sample.acceptLength),
    stateSlotUsage: last(sample => sample.stateSlotUsage),
    retractions: increase(retractions),
    missed: latest.missed[0] === undefined ? null : `${latest.missed[0].source}: ${latest.missed[0].message}`,
  }
}

type SampleFigure = (sample: ServerSample) => number | null

function bySecond(
  samples: readonly ServerSample[],
  until: number,
  seconds: number,
  figure: (second: readonly ServerSample[]) => number | null,
): readonly (number | null)[] {
  return Array.from({ length: Math.max(0, seconds) }, (_, index) => {
    const end = until - (seconds - 1 - index) * 1000
    const second = samples.filter(({ at }) => at > end - secondMs && at <= end)
    return second.length === 0 ? null : figure(second)
  })
}

function increase(counter: readonly number[]): number | null {
  const first = counter[0]
  const latest = counter.at(-1)
  return first === undefined || latest === undefined || latest < first ? null : latest - first
}
