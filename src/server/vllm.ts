import { z } from 'zod'
import type { ServerLimits } from '../domain/server-facts.ts'
import { known, sum } from '../domain/statistics.ts'
import { commitOf } from './commit.ts'
import { type EngineAdapter, emptyReading, type Reading, type Scrape } from './engine-adapter.ts'
import type { Series } from './prometheus-text.ts'

const metricNames = /^vllm:/

const versionAnswer = z.looseObject({ version: z.string() })

export const vllm: EngineAdapter = {
  name: 'vllm',
  abort: null,
  metricNames,
  liveCounters: /^vllm:generation_tokens_total/m,
  recognises: ({ models, metrics }) =>
    models.some(({ owned_by }) => owned_by === 'vllm') || metrics.some(({ name }) => metricNames.test(name)),
  report: ({ version: answer, metrics }, model) => {
    const version = versionAnswer.safeParse(answer).data?.version ?? null
    return {
      engine: {
        name: 'vllm',
        version,
        quantization: null,
        backend: null,
        repository: 'github.com/vllm-project/vllm',
        build: null,
        commit: commitOf(version),
      },
      model: { path: model.root ?? null, revision: null },
      limits: limitsOf(metrics, model.max_model_len ?? null),
      settings: cacheConfigs(metrics)[0] ?? {},
      launchWords: null,
    }
  },
  read,
}

function limitsOf(metrics: readonly Series[], contextTokens: number | null): ServerLimits {
  const caches = cacheConfigs(metrics)
  const pools = known(caches.map(capacityTokens))
  return {
    contextTokens,
    kvCacheTokens: pools.length === 0 ? null : Math.min(...pools),
    maxRunningRequests: null,
    pageSize: numberOf(caches[0]?.block_size),
    // One engine for each data-parallel rank.
    dataParallelRanks: Math.max(1, valuesOf(metrics, 'num_requests_running').length),
    draftTokens: 0,
  }
}

/** Its gauges are refreshed with every step and are exact when idle. */
function read({ metrics }: Scrape, { kvCacheTokens, dataParallelRanks }: ServerLimits): Reading {
  if (metrics === null) return emptyReading
  const running = total(valuesOf(metrics, 'num_requests_running'))
  const pools = known(cacheConfigs(metrics).map(capacityTokens))
  const told = kvCacheTokens === null ? null : kvCacheTokens * dataParallelRanks
  const capacity = total(pools) ?? told
  // All engines have caches of one size, so that their mean is the usage of the whole.
  const shares = firstKnown(metrics, ['kv_cache_usage_perc', 'gpu_cache_usage_perc'])
  const usage = shares.length === 0 ? null : sum(shares) / shares.length
  const computed = total(valuesOf(metrics, 'prompt_tokens_by_source_total', { source: 'local_compute' }))
  const prompts = total(valuesOf(metrics, 'prompt_tokens_total'))
  const cached = total(valuesOf(metrics, 'prompt_tokens_cached_total'))
  return {
    ...emptyReading,
    running,
    queued: total(valuesOf(metrics, 'num_requests_waiting')),
    fresh: running !== null,
    kvUsedTokens: usage === null || capacity === null ? null : Math.round(usage * capacity),
    kvCapacityTokens: capacity,
    kvCacheUsage: usage,
    // Unlike SGLang's, it counts a request's first token too.
    realtimeDecodeTokens: total(valuesOf(metrics, 'generation_tokens_total')),
    countsFirstTokens: true,
    // Older versions know only the sum, cached tokens within it.
    realtimePrefillTokens: computed ?? (prompts === null ? null : prompts - (cached ?? 0)),
    realtimeCachedTokens: cached,
    retractions: total(valuesOf(metrics, 'num_preemptions_total')),
  }
}

/** One value for each engine. */
function valuesOf(
  metrics: readonly Series[],
  name: string,
  wanted: Readonly<Record<string, string>> = {},
): number[] {
  return metrics
    .filter(one => one.name === `vllm:${name}`)
    .filter(({ labels }) => Object.entries(wanted).every(([label, value]) => labels[label] === value))
    .map(({ value }) => value)
}

function firstKnown(metrics: readonly Series[], names: readonly string[]): number[] {
  return names.map(name => valuesOf(metrics, name)).find(values => values.length > 0) ?? []
}

function total(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values)
}

/** The cache settings of each engine stand in labels. */
function cacheConfigs(metrics: readonly Series[]): Readonly<Record<string, string>>[] {
  return metrics.filter(({ name }) => name === 'vllm:cache_config_info').map(({ labels }) => labels)
}

/** Newer versions name it; blocks × block size is wrong for hybrid models. */
function capacityTokens(config: Readonly<Record<string, string>>): number | null {
  const named = numberOf(config.kv_cache_size_tokens)
  const blocks = numberOf(config.num_gpu_blocks)
  const blockTokens = numberOf(config.block_size)
  return named ?? (blocks === null || blockTokens === null ? null : blocks * blockTokens)
}

/** Labels say `None` for what is not set. */
function numberOf(label: string | undefined): number | null {
  const value = Number(label)
  return label === undefined || Number.isNaN(value) ? null : value
}
