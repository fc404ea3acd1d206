import type { GpuSample, HardwareSample, ThrottleReason } from './hardware-sample.ts'
import type { Window } from './load-record.ts'
import { known, max, mean, sum } from './statistics.ts'

/**
 * What the GPUs did in the windows of a cell, means weighted by time. Which of them the server uses is not known, so
 * these are all GPUs of the machine: one that idles counts towards the power, as it does on the bill.
 */
export type HardwareFigures = {
  /** Of all GPUs together; `null` when the power of one of them is not known. */
  readonly powerW: { readonly mean: number | null; readonly max: number | null }
  readonly utilisation: { readonly mean: number | null }
  readonly temperatureC: { readonly max: number | null }
  readonly clockMHz: { readonly mean: number | null }
  /** For each reason the share of the samples in which it held a GPU's clock down; `null`: not told. */
  readonly throttle: readonly ThrottleShare[] | null
  /** Output tokens for each joule that the GPUs took: tok/s / mean power. */
  readonly tokensPerJoule: number | null
}

/** A reason for a lower clock, and in which share of the looks it was given, 0..1. */
export type ThrottleShare = { readonly reason: ThrottleReason; readonly share: number }

/** One window with all looks at the machine around it. */
export type HardwareWindow = { readonly window: Window; readonly samples: readonly HardwareSample[] }

type Look = { readonly at: number; readonly gpus: readonly GpuSample[] }
type Weighed = Look & { readonly weightMs: number }

/** A sample speaks for no more than this before and after itself. */
const reachMs = 2000
/** Of less of the window than this nothing is said. */
const leastSeen = 0.5
/** Below this share of the samples: every change of the clock shows a reason for a moment. */
const throttledFrom = 0.1

/** `null` where no GPU was looked at for at least half of the time. */
export function hardwareFigures(
  windows: readonly HardwareWindow[],
  tokensPerSecond: number,
): HardwareFigures | null {
  const looks = windows.flatMap(weigh)
  const leastMs = leastSeen * sum(windows.map(({ window }) => window.to - window.from))
  if (looks.length === 0 || sum(looks.map(({ weightMs }) => weightMs)) < leastMs) return null
  const timeMean = (figure: (gpus: readonly GpuSample[]) => number | null) => {
    const told = looks.flatMap(({ gpus, weightMs }) => {
      const value = figure(gpus)
      return value === null ? [] : [{ value, weightMs }]
    })
    const toldMs = sum(told.map(({ weightMs }) => weightMs))
    return toldMs === 0 || toldMs < leastMs
      ? null
      : sum(told.map(({ value, weightMs }) => value * weightMs)) / toldMs
  }
  const powerW = timeMean(totalPower)
  return {
    powerW: {
      mean: powerW,
      max: powerW === null ? null : max(known(looks.map(({ gpus }) => totalPower(gpus)))),
    },
    utilisation: { mean: timeMean(gpus => mean(known(gpus.map(gpu => gpu.utilisation)))) },
    temperatureC: { max: max(known(looks.flatMap(({ gpus }) => gpus.map(gpu => gpu.temperatureC)))) },
    clockMHz: { mean: timeMean(gpus => mean(known(gpus.map(gpu => gpu.clockMHz)))) },
    throttle: throttleShares(looks),
    tokensPerJoule: powerW === null || powerW === 0 ? null : tokensPerSecond / powerW,
  }
}

/** What slowed the GPUs in a tenth of the samples or more, the most frequent first; clocks that someone set do not count. */
export function throttledBy({ throttle }: HardwareFigures): readonly ThrottleShare[] {
  return (throttle ?? []).filter(
    ({ reason, share }) => share >= throttledFrom && reason !== 'clock-setting' && reason !== 'sync-boost',
  )
}

/** Power of all of these; `null` when that of one is not known. */
function totalPower(gpus: readonly GpuSample[]): number | null {
  const powers = known(gpus.map(({ powerW }) => powerW))
  return powers.length === gpus.length && gpus.length > 0 ? sum(powers) : null
}

/** Each look weighs from halfway to the one before it to halfway to the one after it, as far as it reaches. */
function weigh({ window, samples }: HardwareWindow): readonly Weighed[] {
  const looks = samples.flatMap(({ at, gpus }): Look[] =>
    gpus === null || gpus.length === 0 || at < window.from || at > window.to ? [] : [{ at, gpus }],
  )
  return looks.map((look, index) => {
    const before = looks[index - 1]
    const after = looks[index + 1]
    const since = before === undefined ? look.at - window.from : (look.at - before.at) / 2
    const until = after === undefined ? window.to - look.at : (after.at - look.at) / 2
    return { ...look, weightMs: Math.min(since, reachMs) + Math.min(until, reachMs) }
  })
}

function throttleShares(looks: readonly Look[]): readonly ThrottleShare[] | null {
  const told = looks
    .map(({ gpus }) => known(gpus.map(({ throttle }) => throttle)))
    .filter(all => all.length > 0)
  if (told.length === 0) return null
  const reasons = told.map(all => new Set(all.flat()))
  return [...new Set(reasons.flatMap(active => [...active]))]
    .map(reason => ({ reason, share: reasons.filter(active => active.has(reason)).length / told.length }))
    .sort((a, b) => b.share - a.share)
}
