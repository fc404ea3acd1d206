import type { CellPass } from './cell-summary.ts'
import type { PrefillSample } from './prefill-row.ts'
import type { RequestTrace } from './request-trace.ts'
import type { Job } from './run-state.ts'
import type { ServerFacts } from './server-facts.ts'
import { counterIncrease } from './server-figures.ts'
import type { ServerSample } from './server-sample.ts'
import { known, mean, min, sum } from './statistics.ts'
import type { Reason } from './verdict.ts'

/** What a cold prompt may find in the cache: chat template and page rounding. */
const coldAllowance = { tokens: 256, share: 0.01 }
/** What a warm prompt may have to compute: its last page is never complete, and neither is the one before it always. */
const warmAllowance = { tokens: 512, pages: 2 }
/** SGLang's default for a chunk on large GPUs. Hybrid models keep the state of a sequence at the ends of chunks only. */
const assumedChunkTokens = 8192

/**
 * Whether cold prompts of a prefill row were in the server's cache: more than 256 tokens and 1 % of one. By the usage
 * of the samples, and where that tells nothing by the live counter, on average over the job's requests.
 */
export function cacheHits({ prefillSamples, traces, samples }: Job): Reason[] {
  const told = prefillSamples.filter(({ cachedTokens }) => cachedTokens !== null)
  const found = told.length > 0 ? told : countedHits(traces, samples)
  const beyond = found.filter(
    ({ cachedTokens, promptTokens }) =>
      (cachedTokens ?? 0) > Math.max(coldAllowance.tokens, coldAllowance.share * (promptTokens ?? 0)),
  )
  const worst = beyond.sort((a, b) => (b.cachedTokens ?? 0) - (a.cachedTokens ?? 0))[0]
  return worst === undefined || worst.cachedTokens === null
    ? []
    : [{ kind: 'cache-hit', cachedTokens: worst.cachedTokens, promptTokens: worst.promptTokens }]
}

function countedHits(
  traces: readonly RequestTrace[],
  samples: readonly ServerSample[],
): Pick<PrefillSample, 'promptTokens' | 'cachedTokens'>[] {
  const cached = counterIncrease(readingsSince(traces, samples, cachedTokens), cachedTokens)
  if (cached === null || traces.length === 0) return []
  return [
    {
      cachedTokens: Math.round(cached / traces.length),
      promptTokens: mean(known(traces.map(({ promptTokens }) => promptTokens))),
    },
  ]
}

/**
 * Whether requests of a cell had to compute prompts that were warmed before: more than 512 tokens, 2 pages and, with
 * hybrid models, a chunk. By usage request by request; what usage does not tell, by the live counter on average.
 */
export function coldCache(
  passes: readonly CellPass[],
  server: Pick<ServerFacts, 'limits' | 'launch'> | null,
  cacheTold: boolean,
): Reason[] {
  const limitTokens = warmLimit(
    passes.flatMap(({ samples }) => samples),
    server,
  )
  const uncached = known(
    passes.flatMap(({ traces }) => traces.map(trace => uncachedTokens(trace, cacheTold))),
  )
  const beyond = uncached.filter(tokens => tokens > limitTokens)
  if (beyond.length > 0) {
    const numbers = { requests: beyond.length, of: uncached.length, mostTokens: Math.max(...beyond) }
    return [{ kind: 'cache-cold', detail: 'requests', ...numbers, limitTokens }]
  }
  // Where usage told of every prompt the counter knows nothing better.
  const counted = passes
    .map(computedPrompts)
    .filter(({ requests }) => requests.some(trace => uncachedTokens(trace, cacheTold) === null))
  const requests = sum(counted.map(one => one.requests.length))
  const meanTokens = requests === 0 ? 0 : Math.round(sum(counted.map(one => one.tokens)) / requests)
  return meanTokens > limitTokens
    ? [{ kind: 'cache-cold', detail: 'average', requests, meanTokens, limitTokens }]
    : []
}

/** Whether one of these requests had to compute a prompt that was warmed before, by the usage of its answer. */
export function hasLostPrompt(
  traces: readonly RequestTrace[],
  samples: readonly ServerSample[],
  server: Pick<ServerFacts, 'limits' | 'launch'> | null,
  cacheTold: boolean,
): boolean {
  const limitTokens = warmLimit(samples, server)
  return traces.some(trace => (uncachedTokens(trace, cacheTold) ?? 0) > limitTokens)
}

function warmLimit(
  samples: readonly ServerSample[],
  server: Pick<ServerFacts, 'limits' | 'launch'> | null,
): number {
  const isHybrid = samples.some(({ stateSlotUsage }) => stateSlotUsage !== null)
  const told = server?.launch.settings.chunked_prefill_size
  const chunk = typeof told === 'number' && told > 0 ? told : assumedChunkTokens
  return Math.max(
    warmAllowance.tokens,
    warmAllowance.pages * (server?.limits.pageSize ?? 1),
    isHybrid ? chunk : 0,
  )
}

/**
 * Tokens of its prompt that a request had to compute; `null`: not told. Servers leave the count of cached tokens out
 * when it is 0, and tell it at the end of a request: one that was cut off may not have come to it.
 */
export function uncachedTokens(
  { promptTokens, cachedTokens, outcome }: RequestTrace,
  cacheTold: boolean,
): number | null {
  if (promptTokens === null) return null
  if (cachedTokens !== null) return promptTokens - cachedTokens
  return cacheTold && outcome.kind === 'completed' ? promptTokens : null
}

/**
 * Prompt tokens that the server computed from the launch to the window's end, by its live counter, and our requests that
 * were under way before their first token meanwhile; none where it does not tell.
 */
export function computedPrompts({ traces, samples, counts: { window } }: CellPass): {
  readonly tokens: number
  readonly requests: readonly RequestTrace[]
} {
  const readings = readingsSince(traces, samples, computedTokens).filter(({ at }) => at <= window.to)
  const tokens = counterIncrease(readings, computedTokens)
  const [first, last] = [readings[0], readings.at(-1)]
  if (tokens === null || first === undefined || last === undefined) return { tokens: 0, requests: [] }
  const requests = traces.filter(
    ({ writtenAt, firstTokenAt, endedAt }) =>
      writtenAt !== null && writtenAt <= last.at && (firstTokenAt ?? endedAt) > first.at - first.tookMs,
  )
  return { tokens, requests }
}

function cachedTokens({ realtimeCachedTokens }: ServerSample): number | null {
  return realtimeCachedTokens
}

/** A server that has no count of cached tokens beside it may have these in its count of prompt tokens. */
function computedTokens({ realtimePrefillTokens, realtimeCachedTokens }: ServerSample): number | null {
  return realtimeCachedTokens === null ? null : realtimePrefillTokens
}

/** The samples with this count, from the last one before the first request on; all of them when there is none before it. */
export function readingsSince(
  traces: readonly RequestTrace[],
  samples: readonly ServerSample[],
  counter: (sample: ServerSample) => number | null,
): readonly ServerSample[] {
  const readings = samples.filter(sample => counter(sample) !== null)
  const firstAt = min(known(traces.map(({ writtenAt }) => writtenAt))) ?? Number.NEGATIVE_INFINITY
  const before = readings.findLastIndex(({ at }) => at <= firstAt)
  return readings.slice(Math.max(0, before))
}
