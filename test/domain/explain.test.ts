import { describe, expect, test } from 'vitest'
import type { CellSummary } from '../../src/domain/cell-summary.ts'
import { summarizeCell } from '../../src/domain/cell-summary.ts'
import { explainCell } from '../../src/domain/explain.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { type CellState, initialState, type RunState } from '../../src/domain/run-state.ts'
import type { ServerFacts } from '../../src/domain/server-facts.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import type { Reason } from '../../src/domain/verdict.ts'
import { pass, server } from './build.ts'

const queued: Reason = { kind: 'requests-queued', queuedShare: 0.9, meanInFlight: 30, wanted: 64 }
const quiet = summarizeCell([pass()], 1, { ttftMs: null, itlMs: null })
const metrics = { metrics: true, loads: true }

type Told = Partial<CellSummary['server']>

function cell(
  concurrency: number,
  change: Partial<CellSummary> = {},
  told: Told = {},
  reasons: readonly Reason[] = [],
): CellState {
  return {
    plan: { contextTokens: 8192, concurrency, fit: { kind: 'fits' } },
    status: reasons.includes(queued) ? 'requests-queued' : 'valid',
    reasons,
    summary: { ...quiet, ...change, server: { ...quiet.server, ...told } },
    partial: null,
    passes: [],
    earlier: null,
    attempts: 1,
    redoAsked: false,
  }
}

function explain(cells: readonly CellState[], facts: ServerFacts = server(metrics)): readonly Finding[] {
  const state: RunState = { ...initialState, server: facts, cells }
  return explainCell(state, cells.length - 1)
}

const withSettings = (settings: Readonly<Record<string, unknown>>, limits = {}): ServerFacts => ({
  ...server(metrics, { ...unknownLimits, ...limits }),
  launch: { command: null, source: null, settings },
})
const gauge = (max: number) => ({ mean: max, max })
const waiting = (told: Told) => cell(64, {}, told, [queued])

describe('requests that wait', () => {
  test('at the limit of running requests are held by it; a rank has a limit of its own', () => {
    const facts = withSettings({ max_running_requests: 32 }, { maxRunningRequests: 16, dataParallelRanks: 2 })
    // 31 of 2 × 16: one ended between two looks
    expect(explain([waiting({ running: gauge(31) })], facts)).toEqual([
      {
        kind: 'request-limit',
        running: 31,
        limit: 32,
        basis: 'measured',
        flags: [{ flag: '--max-running-requests', setting: '32' }],
      },
    ])
    expect(explain([waiting({ running: gauge(28) })], facts)[0]?.kind).toBe('queue')
  })

  test('while the KV cache is full are held by it', () => {
    const facts = withSettings({ mem_fraction_static: 0.857, max_total_tokens: null, kv_cache_dtype: 'auto' })
    expect(explain([waiting({ running: gauge(20), kvCacheUsage: gauge(0.93) })], facts)).toEqual([
      {
        kind: 'kv-full',
        usage: 0.93,
        retractions: null,
        basis: 'measured',
        flags: [
          { flag: '--mem-fraction-static', setting: '0.857' },
          { flag: '--max-total-tokens', setting: null },
          { flag: '--kv-cache-dtype', setting: 'auto' },
        ],
      },
    ])
  })

  test('with neither reached may be held by state slots, of which several are set aside for each', () => {
    const [found] = explain([waiting({ running: gauge(8), stateSlotUsage: gauge(0.8) })])
    expect(found).toMatchObject({ kind: 'state-slots', usage: 0.8, basis: 'inferred' })
    expect(found?.flags).toEqual([{ flag: '--max-mamba-cache-size' }])
    expect(explain([waiting({ stateSlotUsage: gauge(0.99) })])[0]).toMatchObject({ basis: 'measured' })
  })

  test('in a cell that was known to be tight are held by what it is short of, by conclusion', () => {
    const limit = { kind: 'kv-cache', needed: 900_000, available: 830_000 } as const
    const tight = waiting({ running: gauge(3), kvCacheUsage: gauge(0.7) })
    const plan = { ...tight.plan, fit: { kind: 'tight', limit } } as const
    expect(explain([{ ...tight, plan }])).toMatchObject([{ kind: 'no-room', limit, basis: 'inferred' }])
    const forced = { ...tight.plan, fit: { kind: 'over', limits: [limit] } } as const
    expect(explain([{ ...tight, plan: forced }])).toMatchObject([{ kind: 'no-room', basis: 'inferred' }])
    const full = waiting({ running: gauge(3), kvCacheUsage: gauge(0.95) })
    expect(explain([{ ...full, plan }]).map(({ kind }) => kind)).toEqual(['kv-full'])
  })

  test('for no reason that the server tells of are said to wait, and no flag is named', () => {
    expect(explain([waiting({ running: gauge(20), kvCacheUsage: gauge(0.5) })])).toEqual([
      { kind: 'queue', running: 20, basis: 'measured', flags: [] },
    ])
  })
})

test('no queue, no limit: a full cache or all slots in use hold nobody up', () => {
  expect(explain([cell(64, {}, { kvCacheUsage: gauge(0.99), stateSlotUsage: gauge(1) })])).toEqual([])
})

test('requests that were taken back tell of a full cache, queue or not', () => {
  const [found] = explain([cell(4, {}, { retractions: 3, kvCacheUsage: gauge(0.8) })])
  expect(found).toMatchObject({ kind: 'kv-full', usage: 0.8, retractions: 3 })
})

test('stalls from 5 % of the time on point to the prefill of others', () => {
  const facts = withSettings({ chunked_prefill_size: 8192, enable_mixed_chunk: false })
  expect(explain([cell(4, { stallFraction: 0.05 })], facts)).toEqual([
    {
      kind: 'stalls',
      share: 0.05,
      basis: 'inferred',
      flags: [
        { flag: '--chunked-prefill-size', setting: '8192' },
        { flag: '--enable-mixed-chunk', setting: 'false' },
      ],
    },
  ])
  expect(explain([cell(4, { stallFraction: 0.049 })], facts)).toEqual([])
})

describe('CUDA graphs', () => {
  const facts = withSettings({ cuda_graph_max_bs: 16 }, { dataParallelRanks: 2 })

  test('that are too small for the batch of a rank are said', () => {
    expect(explain([cell(64, {}, { running: gauge(40) })], facts)).toMatchObject([
      {
        kind: 'graph-batch',
        running: 20,
        largest: 16,
        flags: [{ flag: '--cuda-graph-max-bs', setting: '16' }],
      },
    ])
    expect(explain([cell(64, {}, { running: gauge(32) })], facts)).toEqual([])
  })

  test('that are switched off are said', () => {
    expect(explain([cell(4)], withSettings({ disable_cuda_graph: true }))[0]?.kind).toBe('graph-off')
    expect(explain([cell(4)], withSettings({ disable_cuda_graph: false }))).toEqual([])
  })
})

test('a speculative server tells what its steps bring', () => {
  const facts = withSettings({ speculative_num_draft_tokens: 4 }, { draftTokens: 4 })
  expect(explain([cell(4, {}, { acceptLength: 2.84 })], facts)).toMatchObject([
    { kind: 'acceptance', accepted: 2.84, most: 4, basis: 'measured' },
  ])
  expect(explain([cell(4, {}, { acceptLength: 2.84 })])).toEqual([])
})

test('a GPU that is held down for a tenth of the time or more is said', () => {
  const hardware = {
    powerW: gauge(700),
    utilisation: { mean: 1 },
    temperatureC: { max: 80 },
    clockMHz: { mean: 1400 },
    throttle: [
      { reason: 'power-cap' as const, share: 0.6 },
      { reason: 'thermal' as const, share: 0.05 },
    ],
    tokensPerJoule: 1,
  }
  expect(explain([cell(4, { hardware })])).toMatchObject([
    { kind: 'throttle', reason: 'power-cap', share: 0.6, basis: 'measured' },
  ])
})

test('a client that did not keep up, and others’ requests, come before all that the server does', () => {
  const reasons: readonly Reason[] = [
    { kind: 'client-limited', loopDelayP99Ms: 90, loopUtilisation: 0.99 },
    { kind: 'foreign-load', detail: 'not-drained', running: 2 },
    { kind: 'few-samples', n: 2 },
  ]
  const found = explain([cell(64, { stallFraction: 0.5 }, {}, [...reasons, queued])])
  expect(found.map(({ kind }) => kind)).toEqual(['not-the-server', 'not-the-server', 'queue', 'stalls'])
})

describe('a step', () => {
  const total = (mean: number) => ({ ...quiet.totalTokensPerSecond, mean })

  test('is held against that of one stream of the same context', () => {
    const alone = cell(1, { stepMs: 10, totalTokensPerSecond: total(100) })
    const found = explain([alone, cell(8, { stepMs: 16, totalTokensPerSecond: total(480) })])
    // 480 / (8 × 100)
    expect(found).toEqual([
      { kind: 'steps', stepMs: 16, aloneMs: 10, streams: 8, scaling: 0.6, basis: 'inferred', flags: [] },
    ])
  })

  test('is shared only by the requests that ran, where others waited', () => {
    const alone = cell(1, { stepMs: 10, totalTokensPerSecond: total(100) })
    const change = { stepMs: 16, totalTokensPerSecond: total(480) }
    const found = explain([alone, cell(16, change, { running: gauge(8) }, [queued])])
    // 480 / (8 × 100)
    expect(found.at(-1)).toMatchObject({ kind: 'steps', streams: 8, scaling: 0.6 })
  })

  test('is held against nothing where that cell is missing or must not be compared', () => {
    const alone: CellState = { ...cell(1, { stepMs: 10 }), status: 'invalid' }
    expect(explain([alone, cell(8, { stepMs: 16 })])).toEqual([])
  })

  test('of one stream alone is what it is', () => {
    expect(explain([cell(1, { stepMs: 10 })])).toMatchObject([{ kind: 'one-stream', stepMs: 10 }])
  })
})

test('a cell that cannot fit is explained by every limit, with the flags of each', () => {
  const limits = [
    { kind: 'context-length', needed: 300_000, available: 262_144 },
    { kind: 'kv-cache', needed: 9, available: 8 },
  ] as const
  const [first, second] = explain([
    {
      ...cell(8),
      plan: { contextTokens: 8192, concurrency: 8, fit: { kind: 'over', limits } },
      status: 'over-capacity',
      summary: null,
    },
  ])
  expect(first).toMatchObject({ kind: 'no-room', flags: [{ flag: '--context-length' }] })
  expect(second?.flags.map(({ flag }) => flag)).toContain('--mem-fraction-static')
})

test('vLLM has names of its own, and an engine that is not known has none', () => {
  const vllm = withSettings({ gpu_memory_utilization: '0.9', cache_dtype: 'auto' })
  const named = (name: string): ServerFacts => ({ ...vllm, engine: { ...vllm.engine, name } })
  const full = waiting({ kvCacheUsage: gauge(1) })
  expect(explain([full], named('vllm'))[0]?.flags).toEqual([
    { flag: '--gpu-memory-utilization', setting: '0.9' },
    { flag: '--kv-cache-dtype', setting: 'auto' },
  ])
  expect(explain([full], named('openai'))[0]?.flags).toEqual([])
})

test('a server without metrics leaves open what limits it', () => {
  expect(explain([cell(4)], server())).toMatchObject([{ kind: 'no-signals' }])
})

test('what was not measured is not explained', () => {
  expect(explain([{ ...cell(4), summary: null, status: 'planned' }])).toMatchObject([
    { kind: 'not-measured' },
  ])
  expect(explain([{ ...cell(4), summary: null, status: 'running' }])).toMatchObject([
    { kind: 'being-measured' },
  ])
  expect(explain([])).toEqual([])
})
