import { prefilling } from '../domain/prefilling.ts'
import type { RunState } from '../domain/run-state.ts'
import { cacheHitShare, counterRate, retractionsIn } from '../domain/server-figures.ts'
import type { RankSample, ServerSample } from '../domain/server-sample.ts'
import { known, mean } from '../domain/statistics.ts'

/** The inference server as its own metrics tell it; histories have one point for each second, oldest first. */
export type ServerView =
  | { readonly kind: 'no-metrics' }
  | { readonly kind: 'no-sample' }
  | {
      readonly kind: 'sampled'
      /** Age of the last sample in seconds when it is too old to speak of now. */
      readonly staleSeconds: number | null
      /** Since its counters fell, for a minute. */
      readonly restartedSeconds: number | null
      readonly kvUsage: Reading
      readonly kvUsedTokens: number | null
      readonly kvCapacityTokens: number | null
      readonly running: Reading
      readonly queued: Reading
      /** Of our requests alone; unknown without a load of ours. */
      readonly prefilling: Reading
      readonly tokensPerSecond: Reading
      /** Prompt tokens that were computed. */
      readonly prefillTokensPerSecond: Reading
      /** Over the history that is kept. */
      readonly cacheHitShare: number | null
      readonly acceptLength: number | null
      readonly stateSlotUsage: number | null
      /** Since the first sample kept, or since the restart. */
      readonly retractions: number | null
      readonly ranks: readonly RankSample[]
      readonly missed: string | null
    }

export type Reading = { readonly value: number | null; readonly history: readonly (number | null)[] }

const staleMs = 3000
/** A point's share of the samples: more than a second, because scrapes come a little late. */
const secondMs = 1500
/** Span of a rate by counters; scrapes come every second. */
const rateMs = 2500
const restartShownMs = 60_000

export function selectServer(state: RunState, now: number, seconds: number): ServerView {
  const { features } = state.server ?? {}
  if (features !== undefined && !features.metrics && !features.loads) return { kind: 'no-metrics' }
  const latest = state.samples.at(-1)
  if (latest === undefined) return { kind: 'no-sample' }
  const recent = state.samples.filter(({ at }) => at > latest.at - (seconds + 3) * 1000)
  // The second in progress is the last one: those that are over stand still, however often the server is looked at.
  const end = Math.ceil(latest.at / 1000) * 1000
  const current = recent.filter(({ at }) => at > latest.at - staleMs)
  const last = (figure: SampleFigure) => known(current.map(figure)).at(-1) ?? null
  const reading = (figure: SampleFigure): Reading => ({
    value: last(figure),
    history: bySecond(recent, end, seconds, second => mean(known(second.map(figure)))),
  })
  const rate = (counter: SampleFigure): Reading => {
    const rateAt = (time: number) =>
      counterRate(
        recent.filter(({ at }) => at <= time && at > time - rateMs),
        counter,
      )
    return {
      value: rateAt(latest.at),
      history: bySecond(recent, end, seconds, second => rateAt(second.at(-1)?.at ?? 0)),
    }
  }
  const restart = state.serverRestartedAt
  const alive = restart === null ? state.samples : state.samples.filter(({ at }) => at >= restart)
  const ticks = state.job?.ticks ?? []
  return {
    kind: 'sampled',
    staleSeconds: now - latest.at > staleMs ? (now - latest.at) / 1000 : null,
    restartedSeconds: restart === null || now - restart > restartShownMs ? null : (now - restart) / 1000,
    kvUsage: reading(sample => sample.kvCacheUsage),
    kvUsedTokens: last(sample => sample.kvUsedTokens),
    kvCapacityTokens: last(sample => sample.kvCapacityTokens),
    running: reading(sample => sample.running),
    queued: reading(sample => sample.queued),
    prefilling: reading(sample => prefilling(sample, ticks)),
    tokensPerSecond: rate(sample => sample.realtimeDecodeTokens),
    prefillTokensPerSecond: rate(sample => sample.realtimePrefillTokens),
    cacheHitShare: cacheHitShare(alive),
    acceptLength: last(sample => sample.acceptLength),
    stateSlotUsage: last(sample => sample.stateSlotUsage),
    retractions: retractionsIn(alive),
    ranks: current.findLast(({ ranks }) => ranks !== null)?.ranks ?? [],
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
