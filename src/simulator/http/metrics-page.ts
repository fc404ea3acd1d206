import type { Engine } from '../engine/engine.ts'
import type { RequestMeters } from '../engine/meters.ts'
import type { Histogram } from '../histogram.ts'
import { type Labels, PrometheusText } from './prometheus-text.ts'

/** The page at /metrics: SGLang's names and labels, with gauges as last published and counters as they stand. */
export function metricsPage(engine: Engine): string {
  const { model } = engine.profile
  const text = new PrometheusText()
  const common = { model_name: model.servedName, engine_type: 'unified' }
  const rank = { ...common, tp_rank: '0', pp_rank: '0', moe_ep_rank: '0' }
  writeGauges(engine, (name, help, value) => text.gauge(`sglang:${name}`, help, rank, value))
  writeSchedulerCounters(engine, text, rank)
  writeRequestCounters(engine, text, common)
  return text.toString()
}

function writeGauges(
  { profile, scheduler }: Engine,
  gauge: (name: string, help: string, value: number) => void,
): void {
  const { published, decodeMeter } = scheduler
  const { kvPoolTokens, pageTokens, contextTokens, state } = profile.limits
  const kvUsage = published.usedTokens / kvPoolTokens
  const stateUsage = state === null ? 0 : published.stateSlotsUsed / state.total
  gauge('max_total_num_tokens', 'Maximum total number of tokens in the KV cache pool.', kvPoolTokens)
  gauge('page_size', 'KV cache page size in tokens.', pageTokens)
  gauge('context_len', 'Context length of the model.', contextTokens)
  gauge('num_running_reqs', 'The number of running requests.', published.running)
  gauge('num_queue_reqs', 'The number of requests in the waiting queue.', published.queued)
  gauge('num_grammar_queue_reqs', 'The number of requests in the grammar waiting queue.', 0)
  gauge('num_used_tokens', 'The number of used tokens.', published.usedTokens)
  // The largest of all pools, and rounded.
  gauge('token_usage', 'The token usage.', Math.round(Math.max(kvUsage, stateUsage) * 100) / 100)
  gauge('full_token_usage', 'The token usage for full attention layers.', kvUsage)
  gauge('swa_token_usage', 'The token usage for SWA layers.', 0)
  gauge('mamba_usage', 'The usage of mamba state slots.', stateUsage)
  gauge('kv_used_tokens', 'KV tokens held by requests.', published.usedTokens)
  gauge('kv_available_tokens', 'KV tokens that are free.', published.availableTokens)
  gauge('kv_evictable_tokens', 'KV tokens that are cached and not in use.', published.evictableTokens)
  if (state !== null) {
    gauge('mamba_used_tokens', 'Mamba state slots in use.', published.stateSlotsUsed)
    gauge(
      'mamba_available_tokens',
      'Mamba state slots that are free.',
      state.total - published.stateSlotsUsed,
    )
    gauge('mamba_evictable_tokens', 'Mamba state slots that can be reclaimed.', 0)
  }
  gauge('gen_throughput', 'The generation throughput (token/s).', published.tokensPerSecond)
  gauge('cache_hit_rate', 'The prefix cache hit rate.', published.cacheHitRate)
  gauge('decode_sum_seq_lens', 'The sum of all sequence lengths in decode.', published.sequenceTokens)
  gauge('new_token_ratio', 'The new token ratio.', published.newTokenRatio)
  if (profile.speculative !== null) {
    const { acceptLength } = decodeMeter
    const acceptRate = Math.max(0, acceptLength - 1) / (profile.speculative.draftTokens - 1)
    gauge('spec_accept_length', 'The average acceptance length of speculative decoding.', acceptLength)
    gauge('spec_accept_rate', 'The average acceptance rate of speculative decoding.', acceptRate)
  }
}

function writeSchedulerCounters(
  { profile, meters, scheduler }: Engine,
  text: PrometheusText,
  rank: Labels,
): void {
  const { realtime, retracted, queueSeconds } = meters
  const evictedTokens = scheduler.pool.evictedPages * profile.limits.pageTokens
  const counter = (name: string, help: string, value: number) =>
    text.counter(`sglang:${name}`, help, [[rank, value]])
  text.counter('sglang:realtime_tokens_total', 'Total number of tokens processed in realtime.', [
    [{ ...rank, mode: 'prefill_compute' }, realtime.prefillCompute],
    [{ ...rank, mode: 'prefill_cache' }, realtime.prefillCache],
    [{ ...rank, mode: 'decode' }, realtime.decode],
  ])
  counter('num_retracted_requests_total', 'Number of retracted requests.', retracted.requests)
  counter('num_retracted_input_tokens_total', 'Input tokens of retracted requests.', retracted.inputTokens)
  counter('num_retracted_output_tokens_total', 'Output tokens of retracted requests.', retracted.outputTokens)
  counter('evicted_tokens_total', 'Tokens evicted from the prefix cache.', evictedTokens)
  text.histogram('sglang:queue_time_seconds', 'Histogram of queueing time in seconds.', [
    [rank, queueSeconds],
  ])
}

function writeRequestCounters({ meters }: Engine, text: PrometheusText, common: Labels): void {
  const { streamed, unstreamed } = meters
  const byStreaming = <T>(read: (meters: RequestMeters) => T): (readonly [Labels, T])[] => [
    [{ ...common, is_streaming: 'true' }, read(streamed)],
    [{ ...common, is_streaming: 'false' }, read(unstreamed)],
  ]
  const counter = (name: string, help: string, read: (meters: RequestMeters) => number) =>
    text.counter(`sglang:${name}`, help, byStreaming(read))
  const histogram = (name: string, help: string, read: (meters: RequestMeters) => Histogram) =>
    text.histogram(`sglang:${name}`, help, byStreaming(read))
  counter('prompt_tokens_total', 'Number of prefill tokens processed.', ({ promptTokens }) => promptTokens)
  counter(
    'generation_tokens_total',
    'Number of generation tokens processed.',
    ({ outputTokens }) => outputTokens,
  )
  counter('num_requests_total', 'Number of requests processed.', ({ requests }) => requests)
  text.counter('sglang:cached_tokens_total', 'Number of cached prompt tokens.', [
    [{ ...common, cache_source: 'device' }, meters.cachedTokens],
  ])
  text.counter('sglang:num_aborted_requests_total', 'Number of requests aborted.', [
    [common, meters.abortedRequests],
  ])
  histogram(
    'time_to_first_token_seconds',
    'Histogram of time to first token.',
    ({ ttftSeconds }) => ttftSeconds,
  )
  histogram(
    'e2e_request_latency_seconds',
    'Histogram of End-to-end request latency.',
    ({ e2eSeconds }) => e2eSeconds,
  )
  text.histogram('sglang:inter_token_latency_seconds', 'Histogram of inter-token latency.', [
    [common, meters.itlSeconds],
  ])
}
