import { computedPrompts, readingsSince, uncachedTokens } from './cache-check.ts'
import { type CellPass, samplesInWindow } from './cell-summary.ts'
import { isUnderWay, isWaiting } from './request-trace.ts'
import type { Job } from './run-state.ts'
import { counterIncrease } from './server-figures.ts'
import { type ServerSample, seenAt } from './server-sample.ts'
import { known, mean, sum } from './statistics.ts'
import type { Reason } from './verdict.ts'

/** The server runs so many more than we have under way: half a request, since means may be fractions. */
const excess = 0.5
/** A request that ended may be counted for a step more; only what lasts is somebody else's. In short windows half of them. */
const lasting = { ms: 2000, share: 0.5 }
/** Of a row's requests: a decode step that a server wastes on one that ended, health checks, chat template and page rounding. */
const rowAllowance = { decodePerRequest: 2, decode: 16, promptPerRequest: 256, promptShare: 0.01 }
/** Prompt tokens beside ours that cost a window no more than a percent or so. */
const besideAllowance = 4096
/** Usage of the KV cache from which on requests may be retracted. */
const fullCache = 0.95

/** Whether the server ran requests beside ours for 2 s or longer inside the window, by neighbouring samples. */
export function foreignLoad(pass: CellPass): Reason[] {
  const longest = stretches(readingsOf(pass)).reduce<readonly Reading[]>(
    (best, stretch) => (spanMs(stretch) > spanMs(best) ? stretch : best),
    [],
  )
  const { from, to } = pass.counts.window
  const running = mean(longest.map(reading => reading.running))
  const ours = mean(longest.map(reading => reading.ours))
  const isLasting = spanMs(longest) >= Math.min(lasting.ms, lasting.share * (to - from))
  if (!isLasting || running === null || ours === null) return []
  return [{ kind: 'foreign-load', detail: 'in-window', running, ours, seconds: spanMs(longest) / 1000 }]
}

/** `waiting`: ours that the server may not count as running yet. */
type Reading = {
  readonly at: number
  readonly running: number
  readonly ours: number
  readonly waiting: number
}

/**
 * Fresh counts against what we had under way then. A gauge may be as old as 40 steps, or from before the cell until it
 * has moved; from then on it is held against all our streams.
 */
function readingsOf(pass: CellPass): readonly Reading[] {
  const { traces } = pass
  const inside = samplesInWindow(pass)
  const fresh = inside.filter(sample => sample.fresh)
  const countAt = (at: number, is: typeof isWaiting) => traces.filter(trace => is(trace, at)).length
  if (fresh.length > 0)
    return withRunning(fresh).map(({ at, seen, running }) => ({
      at,
      running,
      ours: countAt(seen, isUnderWay),
      waiting: countAt(seen, isWaiting),
    }))
  const gauge = withRunning(pass.samples)
  const movedAt = gauge.find(({ running }) => running !== gauge[0]?.running)?.at ?? Number.POSITIVE_INFINITY
  const streams = new Set(traces.map(({ stream }) => stream)).size
  return withRunning(inside)
    .filter(({ at }) => at >= movedAt)
    .map(one => ({ ...one, ours: streams, waiting: 0 }))
}

function withRunning(samples: readonly ServerSample[]) {
  return samples.flatMap(sample => {
    const { at, running } = sample
    return running === null ? [] : [{ at, seen: seenAt(sample), running }]
  })
}

/** Runs of readings with more running than we have. One that waiting streams of ours may explain proves neither way. */
function stretches(readings: readonly Reading[]): Reading[][] {
  const found: Reading[][] = [[]]
  for (const reading of readings) {
    const { running, ours, waiting } = reading
    if (running - ours >= excess) found.at(-1)?.push(reading)
    else if (running + waiting - ours < excess) found.push([])
  }
  return found
}

function spanMs(stretch: readonly Reading[]): number {
  return (stretch.at(-1)?.at ?? 0) - (stretch[0]?.at ?? 0)
}

/**
 * Whether the server read prompts beside ours from the launch to the window's end, by its live counter: more than ours
 * had uncached, by usage, or held at all. Requests that only read hold up ours and neither run nor make tokens. Not
 * judged where a full KV cache may have made the server read ours anew.
 */
export function foreignPrompts(passes: readonly CellPass[], cacheTold: boolean): Reason[] {
  return passes.flatMap(pass => {
    const { tokens, requests } = computedPrompts(pass)
    const prompts = requests.map(({ promptTokens }) => promptTokens)
    const ours = known(requests.map(trace => uncachedTokens(trace, cacheTold) ?? trace.promptTokens))
    const isFull = pass.samples.some(({ kvCacheUsage }) => (kvCacheUsage ?? 0) >= fullCache)
    const allowance = besideAllowance + requests.length * rowAllowance.promptPerRequest
    return isFull || prompts.includes(null)
      ? []
      : tokensBeside([{ server: tokens, ours: sum(ours), allowance }], sum(known(prompts)))
  })
}

/**
 * Whether the server made or read tokens beside those of a prefill row's requests, by its live counters: each of ours
 * has one output token and a prompt that we know.
 */
export function foreignInRow({ traces, samples }: Pick<Job, 'traces' | 'samples'>): Reason[] {
  const requests = traces.length
  const prompts = traces.map(({ promptTokens }) => promptTokens)
  const promptTokens = sum(known(prompts))
  const increase = (counter: (sample: ServerSample) => number | null) =>
    counterIncrease(readingsSince(traces, samples, counter), counter) ?? 0
  const { decodePerRequest, decode, promptPerRequest, promptShare } = rowAllowance
  const made = {
    server: increase(sample => sample.realtimeDecodeTokens),
    ours: requests,
    allowance: requests * decodePerRequest + decode,
  }
  const read = {
    server:
      increase(sample => sample.realtimePrefillTokens) + increase(sample => sample.realtimeCachedTokens),
    ours: promptTokens,
    allowance: promptTokens * promptShare + requests * promptPerRequest,
  }
  return tokensBeside(prompts.includes(null) ? [made] : [made, read], promptTokens + requests)
}

type Count = { readonly server: number; readonly ours: number; readonly allowance: number }

/** What the server did beside ours, where that is more than allowed, as a share of all tokens of our requests. */
function tokensBeside(counts: readonly Count[], all: number): Reason[] {
  const beyond = counts.filter(({ server, ours, allowance }) => server > ours + allowance)
  if (beyond.length === 0 || all === 0) return []
  return [
    {
      kind: 'foreign-load',
      detail: 'tokens',
      agreement: 1 + sum(beyond.map(({ server, ours }) => server - ours)) / all,
      tolerance: sum(beyond.map(({ allowance }) => allowance)) / all,
    },
  ]
}
