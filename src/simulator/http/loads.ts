import type { EngineView, RankView } from './engine-view.ts'
import type { JsonObject } from './reply.ts'

const knownSections = ['core', 'memory', 'spec', 'lora', 'disagg', 'queues', 'all'] as const

/** A query of /v1/loads. */
export type LoadsQuery = {
  readonly sections: readonly string[]
  readonly dpRank: number | null
  readonly format: 'json' | 'prometheus'
}

/** Reads the query; a sentence in SGLang's place when it asks for what there is not. */
export function readLoadsQuery(query: URLSearchParams): LoadsQuery | { readonly problem: string } {
  const sections = (query.get('include') ?? 'all').split(',').map(section => section.trim())
  const unknown = sections.filter(section => !knownSections.some(known => known === section))
  if (unknown.length > 0)
    return { problem: `Invalid include sections: ${unknown.join(', ')}. Valid: ${knownSections.join(', ')}` }
  const rank = query.get('dp_rank')
  if (rank !== null && !/^\d+$/.test(rank)) return { problem: `Invalid dp_rank: ${rank}` }
  return {
    sections,
    dpRank: rank === null ? null : Number(rank),
    format: query.get('format') === 'prometheus' ? 'prometheus' : 'json',
  }
}

/** The body of /v1/loads: unlike the gauges, as of now. Without metrics, what their reporter gives is 0. */
export function loads(view: EngineView, query: LoadsQuery, metrics: boolean, timestamp: string): JsonObject {
  const chosen = view.ranks.filter(({ dpRank }) => query.dpRank === null || (dpRank ?? 0) === query.dpRank)
  const all = chosen.map(rank => rankLoads(view, rank, query.sections, metrics))
  const { version, loadsAggregate } = view.dialect
  return {
    timestamp,
    version,
    ...(loadsAggregate
      ? { dp_rank_count: view.ranks.length, aggregate: aggregate(chosen) }
      : { accelerator: 'simulated', num_accelerators: view.engine.profile.launch.tensorParallel }),
    loads: all,
  }
}

/** The same as Prometheus gauges: every number of a rank's first level. */
export function loadsText({ loads: ranks }: JsonObject): string {
  let text = ''
  for (const load of Array.isArray(ranks) ? ranks : [])
    for (const [name, value] of Object.entries(load))
      if (typeof value === 'number' && name !== 'dp_rank')
        text += `sglang_${name}{dp_rank="${load.dp_rank}"} ${value}\n`
  return text
}

/** The body of /get_load: what the loads were before. */
export function oldLoads({ ranks, dialect, engine, clock }: EngineView): readonly JsonObject[] {
  return ranks.map(({ dpRank, scheduler }) => {
    const now = scheduler.gauges()
    const pending = waitingTokens(scheduler)
    const tokens = now.usedTokens + pending
    return {
      dp_rank: dpRank ?? 0,
      num_reqs: now.running + now.queued,
      num_waiting_reqs: now.queued,
      ...(dialect.generation === 0
        ? { num_pages: Math.ceil(tokens / engine.profile.limits.pageTokens) }
        : { num_tokens: tokens, num_pending_tokens: pending, ts_tic: clock() / 1000 }),
    }
  })
}

function rankLoads(
  { engine }: EngineView,
  { dpRank, scheduler }: RankView,
  sections: readonly string[],
  metrics: boolean,
): JsonObject {
  const { limits, speculative } = engine.profile
  const now = scheduler.gauges()
  const pending = waitingTokens(scheduler)
  const { tokensPerSecond, cacheHitRate } = scheduler.published
  const usedTokens = metrics ? now.usedTokens : 0
  const has = (section: string) => sections.includes(section) || sections.includes('all')
  return {
    dp_rank: dpRank ?? 0,
    num_running_reqs: now.running,
    num_waiting_reqs: now.queued,
    num_waiting_uncached_tokens: pending,
    num_used_tokens: usedTokens,
    num_total_tokens: usedTokens + pending,
    max_total_num_tokens: limits.kvPoolTokens,
    max_running_requests: limits.maxRunningRequests,
    token_usage: usedTokens / limits.kvPoolTokens,
    gen_throughput: metrics ? tokensPerSecond : 0,
    cache_hit_rate: metrics ? cacheHitRate : 0,
    // Stuck at 0 in SGLang since April 2026.
    utilization: 0,
    ...(has('memory')
      ? { memory: { weight_gb: 0, kv_cache_gb: 0, graph_gb: 0, token_capacity: limits.kvPoolTokens } }
      : {}),
    ...(has('spec') && speculative !== null
      ? { speculative: { accept_length: scheduler.decodeMeter.acceptLength } }
      : {}),
    ...(has('disagg') ? { disaggregation: { mode: 'null' } } : {}),
    ...(has('queues')
      ? {
          queues: {
            waiting: now.queued,
            grammar: 0,
            paused: 0,
            retracted: scheduler.waiting.filter(({ outputTokens }) => outputTokens > 0).length,
          },
        }
      : {}),
  }
}

function aggregate(ranks: readonly RankView[]): JsonObject {
  const gauges = ranks.map(({ scheduler }) => scheduler.gauges())
  const running = gauges.reduce((sum, one) => sum + one.running, 0)
  const waiting = gauges.reduce((sum, one) => sum + one.queued, 0)
  return { total_running_reqs: running, total_waiting_reqs: waiting, total_reqs: running + waiting }
}

function waitingTokens({ waiting }: RankView['scheduler']): number {
  return waiting.reduce((sum, request) => sum + request.prompt.tokens, 0)
}
