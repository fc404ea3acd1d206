import { z } from 'zod'
import { max, min } from '../domain/statistics.ts'
import type { Figures } from './build-result.ts'
import type { ForeignFields } from './foreign-fields.ts'
import { importedCell, totalOf, ttftOfAll, untold, wholeRun } from './imported-result.ts'
import type { ResultCell } from './schema.ts'

const place = z.number().int().nonnegative()
const streams = z.number().int().positive()
const flag = z.boolean().nullish()
const number = z.number().nullish()
const requestSamples = z
  .array(z.looseObject({ ttft: number, inter_token_latency_avg: number, input_tokens: number }))
  .nullish()
/** What it writes in place of a speed: the cell was not run, or its output repeated itself. */
const overCapacity = -1
const skipped = -2
const looping = -3

/** One decode cell of an llm-inference-bench file. Its seconds become ms; a 0 that cannot be a measurement, unknown. */
export function cellOf(row: ForeignFields, hasMetrics: boolean): ResultCell {
  const contextTokens = row.look('context_tokens', place)
  const concurrency = row.look('concurrency', streams)
  const total = row.take('aggregate_tps', number) ?? null
  const cell = { contextTokens, concurrency }
  if (total === overCapacity) return importedCell({ ...cell, status: 'over-capacity' })
  if (total === skipped) return importedCell({ ...cell, status: 'skipped' })
  const evidence = evidenceOf(row, hasMetrics)
  const reasons = reasonsFor(evidence, concurrency, total)
  const hasFigures = total !== null && total >= 0
  return importedCell({
    ...cell,
    status: total === null || total <= 0 ? 'failed' : statusFor(reasons, evidence),
    reasons,
    ...(hasFigures ? figuresOf(row, concurrency, total, evidence) : {}),
  })
}

type Evidence = ReturnType<typeof evidenceOf>

function evidenceOf(row: ForeignFields, hasMetrics: boolean) {
  const gauge = (name: string) => {
    const value = row.number(name)
    return hasMetrics ? value : null
  }
  return {
    seconds: row.positive('measurement_seconds'),
    mode: row.text('benchmark_mode'),
    source: row.text('aggregate_source'),
    started: row.number('request_count'),
    errors: row.number('num_errors'),
    failure: row.text('failure_reason'),
    isLooping: row.take('loop_detected', flag) ?? false,
    isLimited: row.take('capacity_limited', flag) ?? false,
    running: { mean: gauge('avg_running_reqs'), max: gauge('max_running_reqs') },
    queued: {
      mean: gauge('avg_queue_reqs'),
      max: gauge('max_queue_reqs'),
      share: gauge('queue_fraction'),
    },
  }
}

function reasonsFor(evidence: Evidence, concurrency: number, total: number | null): ResultCell['reasons'] {
  const { errors, failure, running, seconds, source, mode } = evidence
  const reasons: ResultCell['reasons'] = []
  if (failure !== null) reasons.push({ kind: 'failed', message: failure })
  else if (evidence.isLooping || total === looping)
    reasons.push({ kind: 'failed', message: 'the output repeated itself' })
  else if (total === null) reasons.push({ kind: 'failed', message: 'the file tells no speed' })
  else if (total <= 0) reasons.push({ kind: 'no-tokens' })
  // A worker that met an error stopped for good: the cell ran on with fewer streams than it says.
  if (errors !== null && errors > 0)
    reasons.push({ kind: 'requests-failed', failed: errors, started: evidence.started, example: '' })
  const foreignSeconds = secondsWithMore(running, concurrency, seconds)
  if (foreignSeconds >= 2)
    reasons.push({
      kind: 'foreign-load',
      detail: 'in-window',
      running: running.mean,
      ours: concurrency,
      seconds: foreignSeconds,
    })
  if (source === 'prometheus_fallback')
    reasons.push({
      kind: 'failed',
      message: 'the speed is the whole server’s gauge, not tokens that arrived',
    })
  if (evidence.isLimited)
    reasons.push({
      kind: 'requests-queued',
      queuedShare: evidence.queued.share,
      meanInFlight: running.mean,
      wanted: concurrency,
    })
  if (source === 'openai_stream_chunks_fallback')
    reasons.push({ kind: 'tokens-estimated', counting: 'chunks' })
  if (mode !== null && mode !== 'duration') reasons.push(wholeRun)
  return reasons
}

/**
 * The least time in which the server ran more than our requests, s: with a mean of m and a maximum of x, at least
 * (m - C) / (x - C) of the samples must have been above C.
 */
function secondsWithMore(running: Evidence['running'], concurrency: number, seconds: number | null): number {
  if (running.mean === null || running.max === null || seconds === null) return 0
  if (running.mean <= concurrency || running.mean > running.max) return 0
  return (seconds * (running.mean - concurrency)) / (running.max - concurrency)
}

function statusFor(reasons: ResultCell['reasons'], { isLimited }: Evidence): ResultCell['status'] {
  const kinds = new Set(reasons.map(reason => reason.kind))
  if (['failed', 'requests-failed', 'foreign-load'].some(kind => kinds.has(kind))) return 'invalid'
  return isLimited ? 'requests-queued' : 'valid'
}

function figuresOf(
  row: ForeignFields,
  concurrency: number,
  total: number,
  { seconds, started, errors, running, queued }: Evidence,
): Partial<Figures> {
  const samples = row.look('request_samples', requestSamples) ?? []
  const inputs = samples.flatMap(sample => sample.input_tokens || [])
  const count = (field: 'ttft' | 'inter_token_latency_avg') =>
    samples.length === 0 ? (started ?? 0) : samples.filter(sample => (sample[field] ?? 0) > 0).length
  const itlCount = count('inter_token_latency_avg')
  const promptMean = row.positive('input_seq_len_avg')
  return {
    promptTokens: promptMean === null ? null : { mean: promptMean, min: min(inputs), max: max(inputs) },
    windowSeconds: seconds,
    outputTokens: row.number('client_output_tokens'),
    totalTokensPerSecond: totalOf(total),
    perStreamTokensPerSecond: row.positive('per_request_avg_tps') ?? total / concurrency,
    perRequestTokensPerSecond: { n: itlCount, p50: row.positive('output_tps_per_user_p50'), p10: null },
    ttftMs: ttftOfAll(milliseconds(row, 'ttft', count('ttft'))),
    itlMs: milliseconds(row, 'inter_token_latency', itlCount),
    requests: {
      started,
      completed: row.number('completed_request_count'),
      cutOff: null,
      failed: errors,
      stalled: null,
    },
    server: { ...untold, running, queued, acceptLength: row.positive('server_spec_accept_length') },
    hardware: hardwareOf(row.object('hardware_summary')),
  }
}

function milliseconds(row: ForeignFields, name: string, n: number) {
  const ms = (statistic: string) => {
    const seconds = row.positive(`${name}_${statistic}`)
    return seconds === null ? null : seconds * 1000
  }
  return { n, mean: ms('avg'), p50: ms('p50'), p90: ms('p90'), p99: ms('p99'), max: null }
}

function hardwareOf(summary: ForeignFields): Figures['hardware'] {
  const powerW = { mean: summary.positive('power_total_avg_w'), max: summary.positive('power_total_max_w') }
  const percent = summary.positive('gpu_util_avg_pct')
  const temperature = summary.positive('temp_max_c')
  if (powerW.mean === null && percent === null && temperature === null) return null
  return {
    powerW,
    utilisation: { mean: percent === null ? null : percent / 100 },
    temperatureC: { max: temperature },
    clockMHz: { mean: null },
    throttle: null,
    tokensPerJoule: null,
  }
}
