import type { RequestMeters } from '../engine/meters.ts'
import type { EngineView } from './engine-view.ts'
import type { Buckets, Labels, PrometheusText } from './prometheus-text.ts'

/** Counted where requests are received: no ranks, and bumped when a request has finished. */
export function writeRequestCounters({ engine, dialect, modelName }: EngineView, text: PrometheusText): void {
  const { streamed, unstreamed, itlSeconds, cachedTokens, abortedRequests } = engine.meters
  const isNewest = dialect.generation === 2
  const common = { model_name: modelName, ...(isNewest ? { engine_type: 'unified' } : {}) }
  const byStreaming = <T>(
    read: (meters: RequestMeters) => T,
    add: (a: T, b: T) => T,
  ): (readonly [Labels, T])[] =>
    isNewest
      ? [
          [{ ...common, is_streaming: 'true' }, read(streamed)],
          [{ ...common, is_streaming: 'false' }, read(unstreamed)],
        ]
      : [[common, add(read(streamed), read(unstreamed))]]
  const counter = (name: string, help: string, read: (meters: RequestMeters) => number) =>
    text.counter(
      `sglang:${name}`,
      help,
      byStreaming(read, (a, b) => a + b),
    )
  const histogram = (name: string, help: string, read: (meters: RequestMeters) => Buckets) =>
    text.histogram(`sglang:${name}`, help, byStreaming(read, added))
  counter('prompt_tokens_total', 'Number of prefill tokens processed.', one => one.promptTokens)
  counter('generation_tokens_total', 'Number of generation tokens processed.', one => one.outputTokens)
  counter('num_requests_total', 'Number of requests processed.', one => one.requests)
  text.counter('sglang:cached_tokens_total', 'Number of cached prompt tokens.', [
    [{ ...common, ...(isNewest ? { cache_source: 'device' } : {}) }, cachedTokens],
  ])
  if (dialect.generation > 0)
    text.counter('sglang:num_aborted_requests_total', 'Number of requests aborted.', [
      [common, abortedRequests],
    ])
  histogram('time_to_first_token_seconds', 'Histogram of time to first token.', one => one.ttftSeconds)
  histogram('e2e_request_latency_seconds', 'Histogram of End-to-end request latency.', one => one.e2eSeconds)
  const gaps = dialect.generation === 0 ? 'time_per_output_token_seconds' : 'inter_token_latency_seconds'
  text.histogram(`sglang:${gaps}`, 'Histogram of inter-token latency.', [[common, itlSeconds]])
}

function added(a: Buckets, b: Buckets): Buckets {
  const counts = a.counts.map((count, i) => count + (b.counts[i] ?? 0))
  return { bounds: a.bounds, counts, sum: a.sum + b.sum, count: a.count + b.count }
}
