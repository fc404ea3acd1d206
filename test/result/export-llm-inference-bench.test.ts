import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toLlmInferenceBench } from '../../src/result/export-llm-inference-bench.ts'
import { readResult } from '../../src/result/read-result.ts'
import { sampleResult } from '../support/sample-result.ts'

const sample = sampleResult()
const [single, four] = sample.decode
if (single === undefined || four === undefined) throw new Error('the sample has two cells')

test('has the keys of that format, at the top, in the metadata, in rows and cells', () => {
  const url = new URL('../fixtures/import/llm-inference-bench-0.4.18-result.json', import.meta.url)
  const theirs = JSON.parse(readFileSync(url, 'utf8'))
  const ours = JSON.parse(JSON.stringify(toLlmInferenceBench(readResult(JSON.stringify(theirs), 'a.json'))))
  const missing = (from: object, of: object) =>
    Object.keys(of).filter(key => !Object.keys(from).includes(key))
  expect(missing(ours, theirs)).toEqual(['nvidia_p2p_override', 'p2pmark', 'amd_fabric'])
  expect(missing(ours.results[0], theirs.results[0])).toEqual([])
  expect(missing(ours.prefill['8192'], theirs.prefill['8192'])).toEqual(['server_validation'])
  expect(missing(ours.methodology, theirs.methodology)).toEqual([])
  // What it says of its own way of working has no counterpart here.
  expect(missing(ours.metadata, theirs.metadata)).toEqual([
    'burst_request_count',
    'burst_warmup_request_count',
    'burst_requests_per_concurrency',
    'decode_warmup_seconds',
    'decode_warmup_context',
    'decode_warmup_concurrency',
    'cell_warmup_timeout_seconds',
    'cell_warmup_timeout_policy',
    'show_capacity_limited_values',
    'dcp_size',
    'startup_diagnostics_available',
    'nvidia_p2p_override_effective',
    'p2pmark_status',
    'amd_fabric_status',
  ])
  expect(ours.summary_table).toEqual(theirs.summary_table)
})

test('is in seconds; absent cells have no row; unknown is 0 where nothing can be 0, else null', () => {
  const spread = { n: 30, mean: 210, p50: 200, p90: 300, p99: null, max: 400 }
  const result = {
    ...sample,
    decode: [
      {
        ...single,
        totalTokensPerSecond: {
          mean: 100,
          ci95: 5,
          batchMeans: { ci95: 4, n: 15 },
          requestLevel: { ci95: 5, n: 9 },
        },
        windowSeconds: 30,
        ttftMs: { headline: 200, source: 'steady' as const, steady: spread, launch: { ...spread, p50: 900 } },
        itlMs: null,
        server: null,
      },
      { ...four, totalTokensPerSecond: null, status: 'over-capacity' as const },
    ],
  }
  const document = JSON.parse(JSON.stringify(toLlmInferenceBench(result)))
  expect(document.results).toHaveLength(1)
  expect(document.results[0]).toMatchObject({
    context_tokens: 8192,
    concurrency: 1,
    measurement_seconds: 30,
    aggregate_tps: 100,
    ttft_avg: 0.21,
    ttft_p50: 0.2,
    ttft_p90: 0.3,
    ttft_p99: 0,
    inter_token_latency_p50: 0,
    avg_running_reqs: null,
    queue_fraction: null,
  })
  expect(document.summary_table).toEqual({ '8192': { '1': 100 } })
  expect(document.metadata).toMatchObject({
    version: 'tokgrid 0.0.0',
    concurrency_levels: [1, 4],
    context_lengths: [8192],
    metrics_available: false,
    ignore_eos: true,
    prompts: 'unique',
  })
})

test('workers without an error are its num_completed, and requests its completed_request_count', () => {
  const rowWith = (failed: number | null) => {
    const requests = { started: 9, completed: 7, cutOff: 1, failed, stalled: null }
    const document = toLlmInferenceBench({ ...sample, decode: [{ ...four, requests }] })
    return JSON.parse(JSON.stringify(document)).results[0]
  }
  expect(rowWith(0)).toMatchObject({ num_completed: 4, num_errors: 0, completed_request_count: 7 })
  expect(rowWith(1)).toMatchObject({ num_completed: 3, num_errors: 1 })
  expect(rowWith(6)).toMatchObject({ num_completed: 0, num_errors: 6 })
  expect(rowWith(null)).toMatchObject({ num_completed: null, num_errors: null })
})

test('there and back keeps every field that both formats have', () => {
  const running = { mean: 3.5, max: 4 }
  const queued = { mean: 0.5, max: 2, share: 0.25 }
  const cell = {
    ...four,
    status: 'requests-queued' as const,
    reasons: [{ kind: 'requests-queued', queuedShare: 0.25, meanInFlight: 3.5, wanted: 4 }],
    server: four.server && { ...four.server, running, queued, acceptLength: 2.5 },
    hardware: {
      powerW: { mean: 400, max: 500 },
      utilisation: { mean: 0.75 },
      temperatureC: { max: 70 },
      clockMHz: { mean: 1700 },
      throttle: null,
      tokensPerJoule: 1,
    },
  }
  const row = {
    contextTokens: 8192,
    status: 'valid' as const,
    limit: null,
    limits: [],
    reasons: [],
    promptTokens: 8190,
    ttftMs: 250,
    tokensPerSecond: 32_760,
    netTokensPerSecond: 40_000,
    hostTokenizeMs: 20,
    samples: [{ promptTokens: 8190, cachedTokens: 0, ttftMs: 250 }],
  }
  const result = { ...sample, decode: [cell], prefill: [row] }
  const back = readResult(JSON.stringify(toLlmInferenceBench(result)), 'a.json')
  const returned = back.decode.find(one => one.concurrency === 4)
  expect(returned).toMatchObject({
    contextTokens: 8192,
    concurrency: 4,
    status: 'requests-queued',
    reasons: cell.reasons,
    windowSeconds: cell.windowSeconds,
    outputTokens: cell.outputTokens,
    totalTokensPerSecond: { mean: cell.totalTokensPerSecond?.mean },
    perStreamTokensPerSecond: cell.perStreamTokensPerSecond,
    promptTokens: { mean: cell.promptTokens?.mean },
    requests: {
      started: cell.requests?.started,
      completed: cell.requests?.completed,
      failed: cell.requests?.failed,
    },
    server: { running, queued, acceptLength: 2.5 },
    hardware: {
      powerW: { mean: 400, max: 500 },
      utilisation: { mean: 0.75 },
      temperatureC: { max: 70 },
    },
  })
  expect(cell.ttftMs?.headline).toBeGreaterThan(0)
  expect(returned?.ttftMs?.headline).toBeCloseTo(cell.ttftMs?.headline ?? 0, 9)
  expect(returned?.itlMs?.p50).toBeCloseTo(cell.itlMs?.p50 ?? 0, 9)
  expect(returned?.perRequestTokensPerSecond?.p50 ?? null).toBe(cell.perRequestTokensPerSecond?.p50 ?? null)
  expect(back.prefill).toMatchObject([
    { contextTokens: 8192, promptTokens: 8190, ttftMs: 250, tokensPerSecond: 32_760 },
  ])
  expect(back.run).toMatchObject({
    endedAt: sample.run.endedAt,
    options: {
      contexts: sample.run.options.contexts,
      concurrency: sample.run.options.concurrency,
      durationSeconds: sample.run.options.durationSeconds,
      maxOutputTokens: sample.run.options.maxOutputTokens,
      prompts: sample.run.options.prompts,
    },
  })
  expect(back.server).toMatchObject({
    url: sample.server.url,
    engine: { name: sample.server.engine.name },
    model: { id: sample.server.model.id },
    limits: { kvCacheTokens: sample.server.limits.kvCacheTokens },
  })
})

test('an invalid cell comes back invalid, with its reasons in words', () => {
  const cell = {
    ...single,
    status: 'invalid' as const,
    reasons: [{ kind: 'client-limited' }, { kind: 'few-samples', n: 2 }],
  }
  const back = readResult(JSON.stringify(toLlmInferenceBench({ ...sample, decode: [cell] })), 'a.json')
  expect(back.decode.find(one => one.concurrency === 1)).toMatchObject({
    status: 'invalid',
    reasons: [{ kind: 'failed', message: 'client-limited, few-samples' }],
  })
})
