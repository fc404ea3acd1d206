import type { Scheduler } from '../engine/scheduler.ts'
import type { EngineView } from './engine-view.ts'
import type { PrometheusText } from './prometheus-text.ts'
import { rankLabels } from './rank-labels.ts'

/** Counted by each scheduler, as it happens; the oldest dialect has none of it, others all but what is `realtime`. */
export function writeSchedulerCounters(view: EngineView, text: PrometheusText, realtime: boolean): void {
  const { engine, dialect } = view
  if (dialect.generation === 0) return
  const counter = (name: string, help: string, read: (rank: Scheduler) => number) =>
    text.counter(
      `sglang:${name}`,
      help,
      view.ranks.map(rank => [rankLabels(view, rank), read(rank.scheduler)]),
    )
  if (realtime) writeRealtimeTokens(view, text)
  const { pageTokens } = engine.profile.limits
  counter(
    'evicted_tokens_total',
    'Tokens evicted from the prefix cache.',
    ({ pool }) => pool.evictedPages * pageTokens,
  )
  text.histogram(
    'sglang:queue_time_seconds',
    'Histogram of queueing time in seconds.',
    view.ranks.map(rank => [rankLabels(view, rank), rank.scheduler.meters.queueSeconds]),
  )
  if (dialect.generation === 1) return
  counter(
    'num_retracted_requests_total',
    'Number of retracted requests.',
    ({ meters }) => meters.retracted.requests,
  )
  counter(
    'num_retracted_input_tokens_total',
    'Input tokens of retracted requests.',
    ({ meters }) => meters.retracted.inputTokens,
  )
  counter(
    'num_retracted_output_tokens_total',
    'Output tokens of retracted requests.',
    ({ meters }) => meters.retracted.outputTokens,
  )
  if (engine.profile.speculative !== null)
    counter('spec_verify_calls_total', 'Number of verify calls.', ({ meters }) => meters.verifyCalls)
}

function writeRealtimeTokens(view: EngineView, text: PrometheusText): void {
  text.counter(
    'sglang:realtime_tokens_total',
    'Total number of tokens processed in realtime.',
    view.ranks.flatMap(rank => {
      const labels = rankLabels(view, rank)
      const { prefillCompute, prefillCache, decode } = rank.scheduler.meters.realtime
      return [
        [{ ...labels, mode: 'prefill_compute' }, prefillCompute],
        [{ ...labels, mode: 'prefill_cache' }, prefillCache],
        [{ ...labels, mode: 'decode' }, decode],
      ] as const
    }),
  )
}
