import { llmInferenceBench } from './import-llm-inference-bench.ts'
import { wholeRun } from './imported-result.ts'
import type { ResultCell, ResultPrefill, RunResult } from './schema.ts'

/**
 * The result as llm-inference-bench JSON: its keys, its seconds; cells without a speed are absent, as they are there.
 * A figure that cannot be 0 and is not known is 0, which is how that format says so; a gauge that may well be 0 is `null`.
 */
export function toLlmInferenceBench(result: RunResult): Record<string, unknown> {
  const { run, server, tool } = result
  const { options } = run
  const cells = result.decode.filter(cell => cell.totalTokensPerSecond !== null)
  const prefill = result.prefill.filter(row => row.ttftMs !== null)
  return {
    metadata: {
      version: tool.name === llmInferenceBench ? tool.version : `${tool.name} ${tool.version ?? ''}`.trim(),
      engine: server.engine.name,
      model: server.model.id,
      server: server.url,
      timestamp: run.endedAt ?? run.startedAt,
      decode_mode: 'duration',
      primary_decode_layer: 'sustained_decode',
      duration_per_test: options.durationSeconds,
      request_count: 0,
      warmup_request_count: 0,
      run_burst: false,
      prefill_mode: prefill.length === 0 ? 'skipped' : 'standalone_cold',
      standalone_prefill: prefill.length > 0,
      prefill_only: cells.length === 0 && prefill.length > 0,
      skip_prefill: prefill.length === 0,
      burst_e2e_status: 'not_run',
      max_tokens: options.maxOutputTokens,
      ignore_eos: options.respectEos !== true,
      max_total_tokens: server.limits.kvCacheTokens ?? 0,
      metrics_available: cells.some(({ server: told }) =>
        [...Object.values(told?.running ?? {}), ...Object.values(told?.queued ?? {})].some(isKnown),
      ),
      metrics_warning: '',
      concurrency_levels: options.concurrency,
      context_lengths: options.contexts,
      temperature: options.temperature,
      prompts: options.prompts,
    },
    startup_diagnostics: {},
    event_log: [],
    prefill: Object.fromEntries(prefill.map(row => [row.contextTokens, prefillRow(row)])),
    results: cells.map(cell => decodeRow(cell, result)),
    summary_table: summaryOf(cells),
    burst_results: [],
    burst_summary_table: {},
    methodology: {
      prefill: { name: 'Prefill', present: prefill.length > 0, formula: 'prompt tokens / TTFT' },
      sustained_decode: {
        name: 'Sustained Decode',
        present: cells.length > 0,
        formula: 'output tokens that arrived in the window / seconds of the window',
      },
      burst_e2e_decode: { name: 'Burst / E2E Decode', present: false },
    },
  }
}

function prefillRow({ ttftMs, tokensPerSecond, promptTokens, samples }: ResultPrefill) {
  const seconds = inSeconds(ttftMs)
  return {
    ttft_seconds: seconds,
    prefill_seconds: seconds,
    tok_per_sec: tokensPerSecond ?? 0,
    client_ttft_seconds: seconds,
    client_tok_per_sec: tokensPerSecond ?? 0,
    prompt_tokens: promptTokens ?? 0,
    samples: samples.length,
    method: 'client',
    hardware_summary: {},
  }
}

function decodeRow(cell: ResultCell, { hardware }: RunResult) {
  const { concurrency, requests, server, reasons, status } = cell
  const kinds = reasons.map(reason => reason.kind)
  const isBad = status === 'invalid' || status === 'failed'
  const running = server?.running.mean ?? null
  return {
    concurrency,
    context_tokens: cell.contextTokens,
    benchmark_mode: kinds.includes(wholeRun.kind) ? 'request-count' : 'duration',
    request_count_target: 0,
    warmup_request_count: 0,
    measurement_seconds: cell.windowSeconds ?? 0,
    measurement_wall_seconds: cell.windowSeconds ?? 0,
    client_output_tokens: cell.outputTokens ?? 0,
    server_output_tokens: 0,
    aggregate_source: sourceOf(cell),
    aggregate_tps: cell.totalTokensPerSecond?.mean ?? 0,
    per_request_avg_tps: cell.perStreamTokensPerSecond ?? 0,
    ...spread('ttft', ttftSpread(cell)),
    ...spread('time_to_second_token', null),
    ...spread('request_latency', null),
    ...spread('inter_token_latency', cell.itlMs),
    ...spread('output_tps_per_user', null),
    output_tps_per_user_p50: cell.perRequestTokensPerSecond?.p50 ?? 0,
    ...spread('e2e_output_tps_per_user', null),
    // Its own is a spread of means, one for each request: ours, of all gaps, is another figure.
    ...spread('chunk_inter_token_latency', null),
    input_seq_len_avg: cell.promptTokens?.mean ?? 0,
    ...spread('output_seq_len', null),
    request_count: requests?.started ?? null,
    completed_request_count: requests?.completed ?? null,
    request_samples: [],
    total_tokens: cell.outputTokens ?? 0,
    wall_time: cell.windowSeconds ?? 0,
    // Its workers without an error, not its requests.
    num_completed: workersWithoutError(cell),
    num_errors: requests?.failed ?? null,
    server_gen_throughput: server?.tokensPerSecond ?? 0,
    server_utilization: 0,
    server_spec_accept_rate: 0,
    server_spec_accept_length: server?.acceptLength ?? 0,
    avg_running_reqs: running,
    max_running_reqs: server?.running.max ?? null,
    effective_concurrency: running,
    avg_queue_reqs: server?.queued.mean ?? null,
    max_queue_reqs: server?.queued.max ?? null,
    queue_fraction: server?.queued.share ?? null,
    underfilled: concurrency > 1 && running !== null && running < 0.98 * concurrency,
    warmup_timed_out: false,
    warmup_duration: 0,
    ready_reason: '',
    timeout_reason: '',
    capacity_limited: status === 'requests-queued' || kinds.includes('requests-queued'),
    failure_reason: isBad ? failureOf(reasons) : '',
    hardware_summary: hardwareSummary(cell, hardware.gpus?.length ?? 0),
  }
}

function workersWithoutError({ concurrency, requests }: ResultCell): number | null {
  const failed = requests?.failed ?? null
  return failed === null ? null : Math.max(0, concurrency - failed)
}

function sourceOf({ reasons }: ResultCell): string {
  const estimated = reasons.find(reason => reason.kind === 'tokens-estimated')
  if (estimated === undefined) return 'openai_continuous_usage'
  return estimated.counting === 'chunks' ? 'openai_stream_chunks_fallback' : 'openai_completed_usage'
}

function failureOf(reasons: ResultCell['reasons']): string {
  const told = reasons.find(reason => reason.kind === 'failed')?.message
  return typeof told === 'string' ? told : reasons.map(reason => reason.kind).join(', ')
}

type Spread = { readonly mean: number | null; readonly p50: number | null } & {
  readonly p90: number | null
  readonly p99: number | null
}

function ttftSpread({ ttftMs }: ResultCell): Spread | null {
  switch (ttftMs?.source) {
    case undefined:
      return null
    case 'all':
      return ttftMs?.all ?? null
    default:
      return ttftMs?.[ttftMs.source] ?? null
  }
}

function spread(name: string, ms: Spread | null) {
  return {
    [`${name}_avg`]: inSeconds(ms?.mean),
    [`${name}_p50`]: inSeconds(ms?.p50),
    [`${name}_p90`]: inSeconds(ms?.p90),
    [`${name}_p99`]: inSeconds(ms?.p99),
  }
}

function isKnown(value: unknown): boolean {
  return value !== null
}

function inSeconds(ms: number | null | undefined): number {
  return (ms ?? 0) / 1000
}

function summaryOf(cells: readonly ResultCell[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {}
  for (const { contextTokens, concurrency, totalTokensPerSecond } of cells) {
    const row = table[contextTokens] ?? {}
    table[contextTokens] = { ...row, [concurrency]: totalTokensPerSecond?.mean ?? 0 }
  }
  return table
}

function hardwareSummary({ hardware, windowSeconds }: ResultCell, gpus: number): Record<string, unknown> {
  if (hardware === null) return {}
  return {
    duration_seconds: windowSeconds ?? 0,
    gpu_count: gpus,
    gpu_util_avg_pct: (hardware.utilisation.mean ?? 0) * 100,
    temp_max_c: hardware.temperatureC.max ?? 0,
    power_total_avg_w: hardware.powerW.mean ?? 0,
    power_total_max_w: hardware.powerW.max ?? 0,
  }
}
