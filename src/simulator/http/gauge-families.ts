import type { Scheduler } from '../engine/scheduler.ts'
import type { Profile } from '../profile.ts'
import type { Dialect } from './dialect.ts'
import type { PublishedGauges } from './published-gauges.ts'

/** What one rank's gauges are read from. */
export type GaugeSource = {
  readonly generation: Dialect['generation']
  readonly profile: Profile
  readonly published: ReturnType<PublishedGauges['read']>
  readonly decodeMeter: Scheduler['decodeMeter']
}

/** A gauge: which dialects have it, and its value, null where the server has no such thing. */
export type GaugeFamily = {
  readonly name: string
  readonly help: string
  readonly since: Dialect['generation']
  readonly until: Dialect['generation']
  /** Written by each process on its own: its series carry a pid. */
  readonly perProcess: boolean
  readonly read: (source: GaugeSource) => number | null
}

function gauge(
  since: Dialect['generation'],
  name: string,
  help: string,
  read: GaugeFamily['read'],
  special: Partial<Pick<GaugeFamily, 'until' | 'perProcess'>> = {},
): GaugeFamily {
  return { name, help, since, until: 2, perProcess: false, read, ...special }
}

function published(field: keyof GaugeSource['published']): GaugeFamily['read'] {
  return source => source.published[field]
}

/** Every gauge that any dialect has. */
export const gaugeFamilies: readonly GaugeFamily[] = [
  gauge(0, 'num_running_reqs', 'The number of running requests.', published('running')),
  gauge(0, 'num_used_tokens', 'The number of used tokens.', published('usedTokens')),
  gauge(0, 'token_usage', 'The token usage.', source => {
    // The largest of all pools since 0.5.8, before that the KV pool's; rounded.
    const usage = source.generation === 0 ? kvUsage(source) : Math.max(kvUsage(source), stateUsage(source))
    return Math.round(usage * 100) / 100
  }),
  gauge(1, 'full_token_usage', 'The token usage for full attention layers.', kvUsage),
  gauge(1, 'swa_token_usage', 'The token usage for SWA layers.', () => 0),
  gauge(1, 'mamba_usage', 'The token usage for Mamba layers.', stateUsage),
  gauge(1, 'decode_sum_seq_lens', 'The sum of all sequence lengths in decode.', published('sequenceTokens')),
  gauge(0, 'gen_throughput', 'The generation throughput (token/s).', published('tokensPerSecond')),
  gauge(0, 'num_queue_reqs', 'The number of requests in the waiting queue.', published('queued')),
  gauge(0, 'num_grammar_queue_reqs', 'The number of requests in the grammar waiting queue.', () => 0),
  gauge(1, 'num_running_reqs_offline_batch', 'The number of running low-priority requests.', () => 0, {
    until: 1,
  }),
  gauge(0, 'cache_hit_rate', 'The prefix cache hit rate.', published('cacheHitRate')),
  gauge(0, 'spec_accept_length', 'The average acceptance length of speculative decoding.', source =>
    source.profile.speculative === null ? 0 : source.decodeMeter.acceptLength,
  ),
  gauge(1, 'spec_accept_rate', 'The average acceptance rate of speculative decoding.', acceptRate),
  gauge(1, 'num_retracted_reqs', 'The number of retracted requests.', published('retracted'), {
    perProcess: true,
  }),
  gauge(1, 'num_paused_reqs', 'The number of paused requests by async weight sync.', () => 0, {
    perProcess: true,
  }),
  gauge(
    1,
    'max_total_num_tokens',
    'Maximum total number of tokens in the KV cache pool.',
    ({ profile }) => profile.limits.kvPoolTokens,
  ),
  // Stuck at 0 since April 2026.
  gauge(1, 'utilization', 'The utilization.', () => 0),
  // NaN without SGLANG_ENABLE_METRICS_DEVICE_TIMER.
  gauge(2, 'fwd_occupancy', 'Forward pass GPU occupancy percentage.', () => Number.NaN),
  gauge(2, 'new_token_ratio', 'The new token ratio.', published('newTokenRatio')),
  gauge(2, 'kv_used_tokens', 'The number of KV tokens in use.', published('usedTokens')),
  gauge(2, 'kv_available_tokens', 'The number of free KV tokens.', published('availableTokens')),
  gauge(
    2,
    'kv_evictable_tokens',
    'The number of cached KV tokens that can be evicted.',
    published('evictableTokens'),
  ),
  gauge(
    2,
    'mamba_used_tokens',
    'The number of Mamba state slots in use.',
    source => source.profile.limits.state && source.published.stateSlotsUsed,
  ),
  gauge(2, 'mamba_available_tokens', 'The number of free Mamba state slots.', source => {
    const { state } = source.profile.limits
    return state && state.total - source.published.stateSlotsUsed
  }),
  gauge(
    2,
    'mamba_evictable_tokens',
    'The number of Mamba state slots that can be evicted.',
    source => source.profile.limits.state && 0,
  ),
  gauge(2, 'page_size', 'KV cache page size in tokens.', ({ profile }) => profile.limits.pageTokens),
  gauge(2, 'num_pages', 'Number of KV cache pages.', ({ profile: { limits } }) =>
    Math.floor(limits.kvPoolTokens / limits.pageTokens),
  ),
  gauge(2, 'context_len', 'Context length of the model.', ({ profile }) => profile.limits.contextTokens),
]

function kvUsage({ published, profile }: GaugeSource): number {
  return published.usedTokens / profile.limits.kvPoolTokens
}

function stateUsage({ published, profile: { limits } }: GaugeSource): number {
  return limits.state === null ? 0 : published.stateSlotsUsed / limits.state.total
}

/** Share of the drafted tokens that were accepted; before April 2026 the bonus token counted with them. */
function acceptRate({ generation, profile: { speculative }, decodeMeter }: GaugeSource): number {
  if (speculative === null) return 0
  const { draftTokens } = speculative
  return generation === 1
    ? decodeMeter.acceptLength / draftTokens
    : Math.max(0, decodeMeter.acceptLength - 1) / (draftTokens - 1)
}
