import type { ServerLimits } from '../domain/server-facts.ts'
import type { RankSample } from '../domain/server-sample.ts'
import { mean, sum } from '../domain/statistics.ts'
import { meanAcceptLength } from './accept-length.ts'
import { emptyReading, type Reading } from './engine-adapter.ts'
import type { Series } from './prometheus-text.ts'

/** A router rewrites the colon to an underscore. */
export const sglangMetricNames = /^sglang[:_]/

const runningNames = ['num_running_reqs', 'num_requests_running']
const queuedNames = ['num_queue_reqs', 'num_requests_waiting', 'queue_req']

/** Value for each data-parallel rank. */
type RankFigures = ReadonlyMap<string, number>

/** What the metrics page reports; `running` and `queued` are gauges that may be 30 s old, so it is never fresh. */
export function readMetrics(series: readonly Series[], limits: ServerLimits): Reading {
  const figures = rankFigures(series, limits.dataParallelRanks)
  const running = figures(runningNames)
  const mode = (name: string) => total(figures(['realtime_tokens_total'], { mode: name }))
  const computed = mode('prefill_compute')
  // A mode appears with its first token; every prompt computes one at least.
  const beside = (tokens: number | null) => tokens ?? (computed === null ? null : 0)
  const accept = figures(['spec_accept_length'])
  return {
    ...emptyReading,
    running: total(running),
    queued: total(figures(queuedNames)),
    ...kvCache(figures, limits),
    stateSlotUsage: stateSlotUsage(figures),
    realtimeDecodeTokens: beside(mode('decode')),
    realtimePrefillTokens: computed,
    realtimeCachedTokens: beside(mode('prefill_cache')),
    generationTokensPerSecond: total(figures(['gen_throughput'])),
    // The counter appears with the first retraction; the histogram is older and lags behind it until a request ends.
    retractions: total(figures(['num_retracted_requests_total', 'num_retractions_sum'])),
    acceptLength: meanAcceptLength(
      [...accept].map(([rank, length]) => ({ length, running: running.get(rank) ?? null })),
    ),
    ranks: rankSamples(figures, limits),
  }
}

function rankSamples(figures: Figures, { kvCacheTokens }: ServerLimits): readonly RankSample[] | null {
  const running = figures(runningNames)
  const queued = figures(queuedNames)
  const used = [figures(['kv_used_tokens']), figures(['num_used_tokens'])].find(({ size }) => size > 0)
  const capacity = figures(['max_total_num_tokens'])
  if (running.size < 2) return null
  return [...running]
    .map(([rank, value]) => ({
      name: rank.trim(),
      running: value,
      queued: queued.get(rank) ?? null,
      kvUsedTokens: used?.get(rank) ?? null,
      kvCapacityTokens: capacity.get(rank) ?? kvCacheTokens,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

type Figures = (names: readonly string[], labels?: Readonly<Record<string, string>>) => RankFigures

/**
 * Looks figures up by the first of the names (without prefix) that the page has. Schedulers report copies: several of a
 * tensor-parallel group, one for each pipeline stage, one for each priority, old ones of processes that ended.
 */
function rankFigures(series: readonly Series[], ranks: number): Figures {
  const families = Map.groupBy(series, ({ name }) => name.replace(sglangMetricNames, ''))
  return (names, labels = {}) => {
    const name = names.find(one => families.has(one)) ?? ''
    const wanted = (families.get(name) ?? []).filter(
      one =>
        // The empty priority is the sum of all.
        !one.labels.priority && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    )
    // Before version 0.4.9 the ranks wrote over one another.
    if (ranks > 1 && wanted.every(one => one.labels.dp_rank === undefined)) return new Map()
    const byRank = Map.groupBy(wanted, one => `${one.labels.worker_addr ?? ''} ${one.labels.dp_rank ?? 0}`)
    return new Map([...byRank].map(([rank, copies]) => [rank, firstStage(copies)]))
  }
}

function firstStage(copies: readonly Series[]): number {
  const stage = (one: Series) => Number(one.labels.pp_rank ?? 0)
  const first = Math.min(...copies.map(stage))
  return Math.max(...copies.filter(one => stage(one) === first).map(({ value }) => value))
}

function total(figures: RankFigures): number | null {
  return figures.size === 0 ? null : sum([...figures.values()])
}

function kvCache(figures: Figures, limits: ServerLimits) {
  const locked = total(figures(['kv_used_tokens']))
  const used = locked ?? total(figures(['num_used_tokens']))
  const told = limits.kvCacheTokens === null ? null : limits.kvCacheTokens * limits.dataParallelRanks
  const capacity = total(figures(['max_total_num_tokens'])) ?? told
  const share = (tokens: number | null) => (tokens === null || !capacity ? null : tokens / capacity)
  return {
    kvUsedTokens: used,
    kvCapacityTokens: capacity,
    // All ranks have pools of one size. `token_usage` is the fullest of several kinds of pools, rounded.
    kvCacheUsage:
      share(locked) ??
      mean([...figures(['full_token_usage']).values()]) ??
      share(used) ??
      mean([...figures(['token_usage']).values()]),
  }
}

/** State slots of hybrid models. Other models report a usage of 0 for a pool that does not exist. */
function stateSlotUsage(figures: Figures): number | null {
  const used = total(figures(['mamba_used_tokens']))
  const available = total(figures(['mamba_available_tokens']))
  const evictable = total(figures(['mamba_evictable_tokens']))
  if (used !== null && available !== null && evictable !== null) {
    const slots = used + available + evictable
    return slots === 0 ? null : used / slots
  }
  return mean([...figures(['mamba_usage']).values()]) || null
}
