import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readResult } from '../../src/result/read-result.ts'

const text = (name: string) => readFileSync(new URL(`../fixtures/import/${name}`, import.meta.url), 'utf8')
const read = (name: string) => readResult(text(name), name)
const changed = (name: string, fields: object) =>
  readResult(JSON.stringify({ ...JSON.parse(text(name)), ...fields }), name)

describe('a file of vllm bench serve', () => {
  test('is one cell over all its requests, and says so', () => {
    const result = read('vllm-bench-serve.json')
    expect(result).toMatchObject({
      tool: { name: 'vllm bench serve', version: null },
      server: { model: { id: 'Qwen/Qwen3-8B' }, engine: { name: null } },
      run: { options: { contexts: [1024], concurrency: [8], prompts: null, seed: null } },
      prefill: [],
    })
    // 81920 / 80 prompt tokens, 500 / 8 tok/s a stream, 1000 / 16 and 1000 / 40 a second
    expect(result.decode).toMatchObject([
      {
        contextTokens: 1024,
        concurrency: 8,
        status: 'valid',
        reasons: [{ kind: 'whole-run' }],
        promptTokens: { mean: 1024, min: null, max: null },
        windowSeconds: 40,
        outputTokens: 20_000,
        totalTokensPerSecond: { mean: 500, ci95: null },
        perStreamTokensPerSecond: 62.5,
        perRequestTokensPerSecond: { n: 80, p50: 62.5 },
        ttftMs: {
          headline: 200,
          source: 'all',
          all: { n: 80, mean: 210, p50: 200, p90: null, p99: 300 },
        },
        itlMs: { n: 80, mean: 16.5, p50: 16, p99: 20 },
        stepMs: 40,
        stepsPerSecond: 25,
        requests: { started: 80, completed: 80, failed: 0 },
        server: { acceptLength: 2.5, running: { mean: null } },
      },
    ])
    expect(result.imported?.aside).toMatchObject({ backend: 'openai-chat', burstiness: 1, mean_itl_ms: 41 })
  })

  test('without a limit on concurrency has as many streams as requests; failed ones make it invalid', () => {
    const [cell] = read('vllm-bench-serve-detailed.json').decode
    expect(cell).toMatchObject({
      contextTokens: 1050,
      concurrency: 3,
      status: 'invalid',
      promptTokens: { mean: 1050, min: 900, max: 1100 },
      requests: { started: 3, completed: 2, failed: 1 },
    })
    expect(cell?.reasons).toMatchObject([
      { kind: 'requests-failed', failed: 1, started: 3 },
      { kind: 'whole-run' },
    ])
  })

  test('of an older version tells its failures by the number of its prompts', () => {
    const result = changed('vllm-bench-serve.json', { failed: undefined, num_prompts: 82 })
    expect(result.decode[0]?.requests).toMatchObject({ started: 82, failed: 2 })
  })

  test.each([
    ['by rate', { max_concurrency: null, request_rate: 4 }, /max_concurrency: .*no place in a matrix$/],
    ['without a completed request', { completed: 0 }, /completed: no request came to its end$/],
    ['with text for a speed', { output_throughput: 'fast' }, /^vllm-bench-serve\.json: output_throughput: /],
    ['at no speed', { output_throughput: 0 }, /output_throughput: /],
    ['on less than no prompt', { total_input_tokens: -5 }, /total_input_tokens: /],
  ])('that ran %s is refused', (_, fields, message) => {
    expect(() => changed('vllm-bench-serve.json', fields)).toThrow(message)
  })
})

test('figures below zero, and a run of no time, are unknown', () => {
  const below = { duration: 0, total_output_tokens: -5, failed: -3, median_ttft_ms: -1 }
  expect(changed('vllm-bench-serve.json', below).decode[0]).toMatchObject({
    windowSeconds: null,
    outputTokens: null,
    ttftMs: { headline: null },
    requests: { completed: 80, failed: 0 },
  })
  const time_to_first_token = { unit: 'ms', avg: 110, p50: -1 }
  const benchmark_duration = { unit: 'sec', avg: -32 }
  expect(changed('aiperf-1.0.json', { time_to_first_token, benchmark_duration }).decode[0]).toMatchObject({
    windowSeconds: null,
    ttftMs: { headline: null, all: { mean: 110 } },
  })
})

describe('a file of SGLang’s bench_serving', () => {
  const result = read('sglang-bench-serving.jsonl')

  test('is a cell for each of its lines', () => {
    expect(result.decode).toMatchObject([
      {
        contextTokens: 2048,
        concurrency: 1,
        status: 'valid',
        totalTokensPerSecond: { mean: 128 },
        perRequestTokensPerSecond: { n: 10, p50: 125 },
        ttftMs: { headline: 75 },
        // It does not count failures unless it lists errors.
        requests: { started: null, completed: 10, failed: null },
        stepMs: null,
        server: { acceptLength: 3.1 },
      },
      {
        contextTokens: 2048,
        concurrency: 16,
        status: 'invalid',
        perStreamTokensPerSecond: 124.8,
        requests: { started: 80, completed: 78, failed: 2 },
        server: null,
      },
    ])
  })

  test('tells the server by what it kept of it', () => {
    expect(result.server).toMatchObject({
      engine: { name: 'sglang', version: '0.5.9' },
      model: { id: 'qwen', path: 'Qwen/Qwen3-8B' },
    })
  })

  test('without a concurrency is refused by its line', () => {
    const line = text('sglang-bench-serving.jsonl').split('\n')[0]?.replace('"max_concurrency": 1', '"x": 1')
    expect(() => readResult(`${line}\n${line}\n`, 'a.jsonl')).toThrow(/^a\.jsonl, line 1: max_concurrency: /)
  })
})

describe('a file of AIPerf', () => {
  test('is one cell, in the units that it names', () => {
    const result = read('aiperf-1.0.json')
    expect(result).toMatchObject({
      tool: { name: 'aiperf', version: '0.8.0' },
      run: {
        id: 'aiperf cf9a7da0',
        ending: 'completed',
        // Without a zone nobody knows when that was.
        startedAt: null,
        command: "aiperf profile --model 'mock-model' --concurrency 4 --request-count 64",
      },
      server: { url: 'http://127.0.0.1:8000/v1', model: { id: 'mock-model' } },
    })
    expect(result.decode).toMatchObject([
      {
        contextTokens: 550,
        concurrency: 4,
        promptTokens: { mean: 550, min: 540, max: 560 },
        windowSeconds: 32,
        outputTokens: 12_160,
        totalTokensPerSecond: { mean: 380 },
        perStreamTokensPerSecond: 95,
        perRequestTokensPerSecond: { n: 64, p50: 100, p10: 83 },
        ttftMs: { headline: 100, all: { n: 64, mean: 110, p90: 150, p99: 180, max: 181 } },
        itlMs: { p50: 10, max: 12.5 },
        requests: { started: 64, completed: 64, failed: 0 },
      },
    ])
    expect(result.imported?.aside).toMatchObject({
      request_latency: { avg: 2000 },
      start_time: '2026-04-30T09:16:38.957302',
    })
  })

  test('of an older version tells its load elsewhere; times with a zone are times', () => {
    const result = read('aiperf-loadgen.json')
    expect(result.run).toMatchObject({ ending: 'stopped', startedAt: '2025-11-13T10:00:00Z' })
    expect(result.decode).toMatchObject([
      {
        contextTokens: 2048,
        concurrency: 32,
        status: 'invalid',
        // Seconds there.
        ttftMs: { headline: 400, all: { p99: 1200, max: 1500 } },
        itlMs: { n: 0, p50: null },
        perRequestTokensPerSecond: null,
        requests: { started: 100, completed: 95, failed: 5 },
      },
    ])
  })

  test.each([
    ['without a concurrency', { input_config: {} }, /input_config: no concurrency/],
    ['in a unit that is not known', { time_to_first_token: { unit: 'min', avg: 1 } }, /unit: "min"/],
    ['at no speed', { output_token_throughput: { unit: 'tokens/sec', avg: 0 } }, /output_token_throughput/],
    ['without a request', { request_count: { unit: 'requests', avg: 0 } }, /no request came to its end/],
  ])('%s is refused', (_, fields, message) => {
    expect(() => changed('aiperf-1.0.json', fields)).toThrow(message)
  })
})
