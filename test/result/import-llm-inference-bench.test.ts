import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readResult } from '../../src/result/read-result.ts'
import type { RunResult } from '../../src/result/schema.ts'

const read = (name: string) => {
  const text = readFileSync(new URL(`../fixtures/import/${name}`, import.meta.url), 'utf8')
  return { raw: JSON.parse(text), result: readResult(text, name) }
}
const sustained = read('llm-inference-bench-0.4.18-result.json')
const burst = read('llm-inference-bench-0.4.18-burst-result.json')

function cell({ decode }: RunResult, contextTokens: number, concurrency: number) {
  const found = decode.find(one => one.contextTokens === contextTokens && one.concurrency === concurrency)
  if (found === undefined) throw new Error('no such cell')
  return found
}

/** A file with one cell: 8K tokens, 2 streams, 100 tok/s, and what a test sets. */
function oneCell(row: object, metadata: object = {}): RunResult {
  const document = {
    metadata: { version: '0.6.2', engine: 'sglang', model: 'm', ...metadata },
    results: [{ context_tokens: 8192, concurrency: 2, aggregate_tps: 100, ...row }],
    summary_table: {},
  }
  return readResult(JSON.stringify(document), 'a.json')
}
const judged = (row: object, metadata?: object) => {
  const found = cell(oneCell(row, metadata), 8192, 2)
  return { status: found.status, reasons: found.reasons }
}

describe('a file of llm-inference-bench', () => {
  test('tells the run: tool, model, engine, limits, options; unknown stays null', () => {
    expect(sustained.result).toMatchObject({
      tool: { name: 'llm-inference-bench', version: '0.4.18', node: null },
      run: {
        startedAt: null,
        endedAt: null,
        command: null,
        promptSet: null,
        options: {
          contexts: [0, 8192, 16_384],
          concurrency: [1, 2, 4, 8],
          durationSeconds: 5,
          maxOutputTokens: 400,
          prompts: 'shared',
          seed: null,
        },
      },
      server: {
        url: 'http://localhost:18000',
        engine: { name: 'sglang', version: '0.5.6', quantization: null },
        model: { id: 'fake-model', path: null },
        limits: { contextTokens: 131_072, kvCacheTokens: 60_000, maxRunningRequests: 4 },
        features: null,
      },
      hardware: { gpus: null, host: null },
    })
  })

  // Picked by hand from the file: 8192 × 4.
  test('gives each figure in our unit: seconds become ms', () => {
    expect(cell(sustained.result, 8192, 4)).toMatchObject({
      status: 'valid',
      windowSeconds: sustained.raw.results[6].measurement_seconds,
      outputTokens: sustained.raw.results[6].client_output_tokens,
      totalTokensPerSecond: { mean: 399.0343166116609, ci95: null },
      perStreamTokensPerSecond: 99.75857915291523,
      perRequestTokensPerSecond: { n: 12, p10: null },
      promptTokens: { mean: 8192, min: 8192, max: 8192 },
      requests: { started: 12, completed: 0, failed: 0, cutOff: null },
      server: {
        running: { mean: 4, max: 4 },
        queued: { mean: 0, max: 0, share: 0 },
        kvCacheUsage: { mean: null },
        acceptLength: null,
      },
      stepMs: null,
      series: null,
    })
  })

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('row %i: TTFT and ITL are its seconds, in ms', index => {
    const row = sustained.raw.results[index]
    const { ttftMs, itlMs, perRequestTokensPerSecond } = cell(
      sustained.result,
      row.context_tokens,
      row.concurrency,
    )
    expect(ttftMs?.source).toBe('all')
    expect(ttftMs?.headline).toBeCloseTo(row.ttft_p50 * 1000, 9)
    expect(ttftMs?.all?.p99).toBeCloseTo(row.ttft_p99 * 1000, 9)
    expect(ttftMs?.all?.n).toBe(row.request_count)
    expect(itlMs?.mean).toBeCloseTo(row.inter_token_latency_avg * 1000, 9)
    expect(itlMs?.p90).toBeCloseTo(row.inter_token_latency_p90 * 1000, 9)
    expect(perRequestTokensPerSecond?.p50).toBe(row.output_tps_per_user_p50)
  })

  test('gives its prefill rows; a single sample is told as one', () => {
    expect(sustained.result.prefill).toMatchObject([
      {
        contextTokens: 4096,
        promptTokens: 4167,
        ttftMs: 153,
        tokensPerSecond: 27_161,
        netTokensPerSecond: null,
        samples: [{ promptTokens: 4167, cachedTokens: null, ttftMs: 153 }],
      },
      { contextTokens: 8192, promptTokens: 8192, ttftMs: 286, tokensPerSecond: 28_630 },
      { contextTokens: 16_384, promptTokens: 16_241, ttftMs: 555, tokensPerSecond: 29_268 },
    ])
  })

  test('says of absent cells which of its limits they met', () => {
    const running = { kind: 'max-running-requests', needed: 8, available: 4 }
    expect(cell(sustained.result, 0, 8)).toMatchObject({ status: 'over-capacity', limits: [running] })
    // 8 × (8192 + 400)
    expect(cell(sustained.result, 8192, 8)).toMatchObject({
      limit: running,
      limits: [running, { kind: 'kv-cache', needed: 68_736, available: 60_000 }],
    })
    // 4 × (16384 + 400)
    expect(cell(sustained.result, 16_384, 4)).toMatchObject({
      status: 'over-capacity',
      limit: { kind: 'kv-cache', needed: 67_136, available: 60_000 },
      totalTokensPerSecond: null,
    })
  })

  test('that does not tell why a cell is absent leaves it not run', () => {
    expect(cell(oneCell({}, { context_lengths: [8192], concurrency_levels: [2, 4] }), 8192, 4)).toMatchObject(
      { status: 'not-run', limit: null },
    )
  })

  test('keeps its burst results aside: they repeat the cells by another definition', () => {
    expect(burst.result.decode.map(one => [one.contextTokens, one.concurrency, one.status])).toEqual([
      [0, 1, 'valid'],
      [0, 2, 'valid'],
      [8192, 1, 'valid'],
      [8192, 2, 'valid'],
    ])
    expect(cell(burst.result, 8192, 2)).toMatchObject({
      totalTokensPerSecond: { mean: 198.7564896205825 },
    })
    expect(burst.result.imported?.aside.burst_results).toEqual(burst.raw.burst_results)
  })

  test('loses nothing: what has no place here stands aside', () => {
    const aside = sustained.result.imported?.aside
    expect(aside).toMatchObject({
      metadata: { timestamp: '2026-11-30T17:25:24.780547', dcp_size: 0 },
      startup_diagnostics: sustained.raw.startup_diagnostics,
      prefill: { '4096': { method: 'scout_only', samples: 1 } },
    })
    const rows: unknown = aside?.results
    expect(rows).toHaveLength(8)
    expect(rows).toMatchObject([
      {
        context_tokens: 0,
        concurrency: 1,
        wall_time: sustained.raw.results[0].wall_time,
        request_samples: sustained.raw.results[0].request_samples,
      },
      ...Array(7).fill({}),
    ])
  })
})

describe('a cell of llm-inference-bench', () => {
  test('that it calls capacity limited is queued, with its numbers', () => {
    const row = { capacity_limited: true, avg_running_reqs: 1.4, max_running_reqs: 2, queue_fraction: 0.9 }
    expect(judged(row)).toEqual({
      status: 'requests-queued',
      reasons: [{ kind: 'requests-queued', queuedShare: 0.9, meanInFlight: 1.4, wanted: 2 }],
    })
  })

  test('knows no queue when there were no metrics: its zeros are none', () => {
    const row = { avg_running_reqs: 0, max_running_reqs: 0, avg_queue_reqs: 0, queue_fraction: 0 }
    expect(cell(oneCell(row, { metrics_available: false }), 8192, 2).server).toMatchObject({
      running: { mean: null, max: null },
      queued: { mean: null, max: null, share: null },
    })
  })

  test('lost a stream with each error, so it is not the cell that it says', () => {
    expect(judged({ num_errors: 1, request_count: 300 })).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'requests-failed', failed: 1, started: 300 }],
    })
  })

  test('beside which the server ran more is invalid, with the least time in which it did', () => {
    // (6.4 - 2) / (13 - 2) of 30 s
    const row = { measurement_seconds: 30, avg_running_reqs: 6.4, max_running_reqs: 13 }
    expect(judged(row)).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'foreign-load', detail: 'in-window', running: 6.4, ours: 2, seconds: 12 }],
    })
  })

  test('whose gauges contradict each other proves nothing about others', () => {
    const row = { measurement_seconds: 30, avg_running_reqs: 6.4, max_running_reqs: 2 }
    expect(judged(row)).toEqual({ status: 'valid', reasons: [] })
  })

  test('with one stray sample is not: a gauge may be late', () => {
    // (2.3 - 2) / (8 - 2) of 30 s is 1.5 s
    expect(judged({ measurement_seconds: 30, avg_running_reqs: 2.3, max_running_reqs: 8 })).toEqual({
      status: 'valid',
      reasons: [],
    })
  })

  test.each([
    ['over capacity', { aggregate_tps: -1 }, 'over-capacity'],
    ['skipped by key', { aggregate_tps: -2 }, 'skipped'],
    ['stopped by its loop guard', { aggregate_tps: -3, loop_detected: true }, 'failed'],
    ['without a speed', { aggregate_tps: null, failure_reason: 'scheduler did not drain' }, 'failed'],
  ])('%s has that status and no figures', (_, row, status) => {
    expect(cell(oneCell(row), 8192, 2)).toMatchObject({ status, totalTokensPerSecond: null, server: null })
  })

  test.each([
    ['without a token', { aggregate_tps: 0 }, 'failed'],
    ['that it found wrong', { failure_reason: 'a worker stopped' }, 'invalid'],
    ['whose speed is the server’s gauge', { aggregate_source: 'prometheus_fallback' }, 'invalid'],
  ])('%s has that status, and its figures', (_, row, status) => {
    const mean = 'aggregate_tps' in row ? 0 : 100
    expect(cell(oneCell(row), 8192, 2)).toMatchObject({ status, totalTokensPerSecond: { mean } })
  })

  test('without a speed says why, as far as the file does', () => {
    expect(judged({ aggregate_tps: -3 }).reasons).toMatchObject([{ kind: 'failed', message: /repeated/ }])
    expect(judged({ aggregate_tps: null }).reasons).toEqual([
      { kind: 'failed', message: 'the file tells no speed' },
    ])
    expect(judged({ aggregate_tps: 0 }).reasons).toEqual([{ kind: 'no-tokens' }])
  })

  test('has no figures below zero: they are unknown', () => {
    const row = { client_output_tokens: -5, per_request_avg_tps: -5, num_errors: -1, avg_running_reqs: -1 }
    expect(cell(oneCell(row), 8192, 2)).toMatchObject({
      status: 'valid',
      outputTokens: null,
      perStreamTokensPerSecond: 50,
      requests: { failed: null },
      server: { running: { mean: null } },
    })
  })

  test('that counted chunks says so; one over a fixed number of requests, too', () => {
    expect(judged({ aggregate_source: 'openai_stream_chunks_fallback' })).toEqual({
      status: 'valid',
      reasons: [{ kind: 'tokens-estimated', counting: 'chunks' }],
    })
    expect(judged({ benchmark_mode: 'request-count' }).reasons).toMatchObject([{ kind: 'whole-run' }])
  })

  test('takes what its server and GPUs told; 0 for unknown is null', () => {
    const row = {
      server_spec_accept_length: 2.14,
      request_latency_p50: 0,
      ttft_p50: 0,
      hardware_summary: { gpu_count: 2, gpu_util_avg_pct: 87.5, power_total_avg_w: 812, temp_max_c: 71 },
    }
    expect(cell(oneCell(row), 8192, 2)).toMatchObject({
      ttftMs: { headline: null },
      server: { acceptLength: 2.14 },
      hardware: {
        powerW: { mean: 812, max: null },
        utilisation: { mean: 0.875 },
        temperatureC: { max: 71 },
        tokensPerJoule: null,
      },
    })
  })
})

test('a prefill row of llm-inference-bench without a time has failed', () => {
  const prefill = { 8192: { ttft_seconds: 0, tok_per_sec: 0 }, 16384: { skipped: true } }
  const document = { metadata: {}, results: [], summary_table: {}, prefill }
  expect(readResult(JSON.stringify(document), 'a.json').prefill.map(row => row.status)).toEqual([
    'failed',
    'skipped',
  ])
})

test.each([
  ['a model that is none', { metadata: { model: 5 } }, 'a.json: metadata.model: '],
  ['a cell without a place', { results: [{ concurrency: 1 }] }, 'a.json: results.0.context_tokens: '],
  ['no streams', { results: [{ context_tokens: 0, concurrency: 0 }] }, 'a.json: results.0.concurrency: '],
  ['results that are no list', { results: {} }, 'a.json: results: '],
  [
    'a matrix without an end',
    { metadata: { context_lengths: Array(201).fill(1) } },
    'a.json: metadata.context_lengths: ',
  ],
  ['a prefill row of nothing', { prefill: { long: {} } }, 'a.json: prefill.long: '],
  ['a prefill row without a name', { prefill: { '': {} } }, 'a.json: prefill.: '],
  [
    'a column of no streams',
    { metadata: { concurrency_levels: [0] } },
    'a.json: metadata.concurrency_levels.0: ',
  ],
])('a file with %s is refused by the name of the field', (_, wrong, message) => {
  const document = { metadata: {}, results: [], summary_table: {}, ...wrong }
  expect(() => readResult(JSON.stringify(document), 'a.json')).toThrow(message)
})
