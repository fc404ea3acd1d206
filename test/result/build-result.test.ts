import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { initialState, type RunState } from '../../src/domain/run-state.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { buildResult, type Surroundings } from '../../src/result/build-result.ts'
import { readResult } from '../../src/result/read-result.ts'
import { type RunResult, resultSchema } from '../../src/result/schema.ts'
import { gpuSample, server } from '../domain/build.ts'
import { answered, brokenBy, busy, Desk, decode, streamed } from '../domain/desk.ts'
import { RunScript } from '../support/scripted-run.ts'

const surroundings: Surroundings = {
  tool: { name: 'tokgrid', version: '0.1.0', node: '24.21.0' },
  description: null,
}

function built(state: RunState): RunResult {
  const result = buildResult(state, surroundings)
  if (result === null) throw new Error('a run with a server has a result')
  return result
}
const builtFrom = (events: readonly RunEvent[]) => built(foldRun(events))

/** Every number of a document that JSON cannot hold, and every field without a value, by its path. */
function unspeakable(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (value === undefined) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => unspeakable(inner, `${path}/${name}`))
}

/** Runs that ended in every way that there is. */
const runs: Readonly<Record<string, () => RunState>> = {
  'a whole run': () => foldRun(new RunScript().begin().allPrefill().cells(99).end().events),
  'a run with every mark': () => {
    const script = new RunScript({ contexts: [8192, 32_768], concurrency: [1, 4, 16, 64] })
    script.begin().allPrefill().cells(1).disturb(1)
    script.launch(2, 4).open().run(30_000).close()
    return foldRun(script.skip(3).fail(4, 'no room').end('aborted', 'no room').events)
  },
  'a run with service levels': () =>
    foldRun(
      new RunScript({ slo: { ttftMs: 1000, itlMs: 50 }, contexts: [8192] }).begin().cells(3).end().events,
    ),
  'a run that has only begun': () => foldRun(new RunScript().begin().events),
  'a run in the middle of a window': () => foldRun(new RunScript().begin().launch(0).open().run(5000).events),
  'a run without metrics whose cell was cut short': () => {
    const desk = new Desk(decode(1), server()).calibrate()
    desk.ended(answered('warm', 32_000, null))
    desk.ticks({ started: 1 }).obey()
    desk.wait(1000).obey()
    desk.wait(101).tell({ kind: 'asked', ask: 'stop' }).obey()
    desk.closed(desk.now)
    return desk.state
  },
  'a run whose streams tell nothing but bursts': () => {
    const desk = new Desk({ ...decode(1), slo: { ttftMs: 1, itlMs: 1 } }).calibrate().launch().open()
    const window = desk.state.job?.window
    if (!window) throw new Error('a window was announced')
    const burst = {
      firstAt: window.from,
      lastAt: window.from,
      chunks: 9,
      tokens: 90,
      firstChunkTokens: 10,
      longestGapMs: 10,
      tokensBefore: 0,
    }
    desk.wait(30_150).obey()
    desk.closed(window.to, [
      streamed(window, { window: burst, firstTokenAt: window.from, lastTokenAt: window.from }),
      streamed(window, { window: null, firstTokenAt: null, lastTokenAt: null, writtenAt: null }),
    ])
    return desk.state
  },
}

describe.each(Object.entries(runs))('the result of %s', (_, run) => {
  test('is what the schema says', () => {
    expect(resultSchema.safeParse(built(run())).error).toBe(undefined)
  })

  test('holds no number that is not one, and no field without a value', () => {
    expect(unspeakable(built(run()))).toEqual([])
  })

  test('is read back as it was written', () => {
    const result = built(run())
    expect(readResult(JSON.stringify(result), 'result.json')).toEqual(result)
  })

  test('holds every planned row and cell, in the order of the plan, with a final status', () => {
    const state = run()
    const { prefill, decode: cells } = built(state)
    const place = ({ contextTokens }: { contextTokens: number }, concurrency = 1) =>
      `${contextTokens} × ${concurrency}`
    expect(prefill.map(row => place(row))).toEqual(state.prefill.map(({ plan }) => place(plan)))
    expect(cells.map(cell => place(cell, cell.concurrency))).toEqual(
      state.cells.map(({ plan }) => place(plan, plan.concurrency)),
    )
    expect(cells.length).toBeGreaterThan(0)
  })
})

test('a run without a server has no result', () => {
  expect(buildResult(initialState, surroundings)).toBe(null)
  expect(buildResult(foldRun(new RunScript().begin().events.slice(0, 1)), surroundings)).toBe(null)
})

test('the run is told with its times, its ending and its options; the default ladder by its contexts', () => {
  const {
    run,
    server: facts,
    tool,
  } = builtFrom(new RunScript().begin().cells(1).end('stopped', 'enough').events)
  expect(run).toMatchObject({
    id: 'scripted',
    startedAt: '2026-01-01T00:00:00Z',
    endedAt: '2026-01-01T00:20:00Z',
    ending: 'stopped',
    message: 'enough',
    options: { durationSeconds: 30, prompts: 'unique', seed: 1, temperature: null },
  })
  // 262144 - 4096 - 1024
  expect(run.options.contexts).toEqual([8192, 16_384, 32_768, 65_536, 131_072, 257_024])
  expect(facts.limits).toMatchObject({ contextTokens: 262_144, maxRunningRequests: 64 })
  expect(tool).toEqual(surroundings.tool)
})

test('a run that goes on says so, and has no end', () => {
  expect(builtFrom(new RunScript().begin().events).run).toMatchObject({ ending: 'running', endedAt: null })
})

test('cells that were not reached are not run; those that cannot fit name every limit, the first as binding', () => {
  const limits = { ...unknownLimits, contextTokens: 12_288, maxRunningRequests: 1, kvCacheTokens: 20_000 }
  const { decode: cells } = built(new Desk(decode(1, 2), server({}, limits)).state)
  // 2 × (8192 + 4096 + 1) = 24578
  const running = { kind: 'max-running-requests', needed: 2, available: 1 }
  expect(cells).toMatchObject([
    { status: 'not-run', limit: null, limits: [], totalTokensPerSecond: null, partial: null },
    {
      status: 'over-capacity',
      limit: running,
      limits: [running, { kind: 'kv-cache', needed: 24_578, available: 20_000 }],
      totalTokensPerSecond: null,
    },
  ])
})

test('a measured cell has its figures, its reasons with their numbers, and no partial ones', () => {
  const { decode: cells } = built(new Desk(decode(1)).calibrate().measure().state)
  // 30 slices of 100 tokens in 30 s
  expect(cells[0]).toMatchObject({
    contextTokens: 8192,
    concurrency: 1,
    status: 'valid',
    reasons: [{ kind: 'few-samples', n: 0 }],
    windowSeconds: 30,
    outputTokens: 3000,
    totalTokensPerSecond: { mean: 100, ci95: null },
    stepMs: 10,
    stepsPerSecond: 100,
    partial: null,
  })
  expect(cells[0]?.series?.tokensPerSecond).toEqual(Array.from({ length: 30 }, () => 100))
})

test('a cell that was cut short has its figures apart', () => {
  const desk = new Desk(decode(1)).calibrate().launch().open().wait(5100)
  desk.tell({ kind: 'asked', ask: 'stop' }).obey()
  desk.closed(desk.now)
  expect(built(desk.state).decode[0]).toMatchObject({
    status: 'not-run',
    totalTokensPerSecond: null,
    partial: { windowSeconds: 5, totalTokensPerSecond: { mean: 100 } },
  })
})

describe('a document that is written while a cell is measured', () => {
  test('says of that cell that it was not run', () => {
    const { decode: cells } = built(new Desk(decode(1)).calibrate().launch().state)
    expect(cells[0]).toMatchObject({ status: 'not-run', totalTokensPerSecond: null })
  })

  test('says of a cell that is measured again what its earlier pass was', () => {
    const desk = new Desk({ ...decode(1), repeat: 2 }).calibrate().measure().launch()
    expect(desk.state.cells[0]?.status).toBe('running')
    expect(built(desk.state).decode[0]).toMatchObject({ status: 'valid', windowSeconds: 30 })
  })
})

test('a cell tells its scaling efficiency against one stream of its context', () => {
  const { decode: cells } = built(new Desk(decode(1, 2, 4)).calibrate().measure().measure().state)
  // each measured cell has 100 tok/s: 100 / (2 × 100)
  expect(cells.map(cell => cell.scalingEfficiency)).toEqual([1, 0.5, null])
})

test('a cell that is measured once more tells its earlier result until the later one is there', () => {
  const desk = new Desk({ ...decode(1), retryInvalid: true }).calibrate()
  desk.tell({ kind: 'drain-ended', drained: false }).obey()
  desk.ended(answered('warm', 32_000, 8180))
  desk.open().wait(30_150).obey()
  desk.closed()
  expect(desk.state.cells[0]?.status).toBe('running')
  expect(built(desk.state).decode[0]).toMatchObject({ status: 'invalid', windowSeconds: 30 })
  desk.measure()
  const [cell] = built(desk.state).decode
  expect(cell).toMatchObject({ status: 'valid', windowSeconds: 30 })
  expect(cell?.reasons).toContainEqual({
    kind: 'retried',
    status: 'invalid',
    kinds: ['foreign-load', 'few-samples'],
  })
})

describe('a prefill row', () => {
  const measured = (cellTtftMs: number, prepare: (desk: Desk) => void = () => {}) => {
    const desk = new Desk({ contexts: [8192], concurrency: [1] }).calibrate().prefill(500)
    prepare(desk)
    desk.launch().open()
    const window = desk.state.job?.window
    if (!window) throw new Error('a window was announced')
    desk.wait(30_150).obey()
    const writtenAt = window.from - 2000
    desk.closed(window.to, [streamed(window, { writtenAt, firstTokenAt: writtenAt + cellTtftMs })])
    return built(desk.state).prefill[0]
  }

  test('has its medians, its samples, and the net rate by the cached TTFT of its context', () => {
    // 8000 / 0.5 s; 8000 / (0.5 - 0.1) s
    expect(measured(100)).toMatchObject({
      contextTokens: 8192,
      status: 'valid',
      promptTokens: 8000,
      ttftMs: 500,
      tokensPerSecond: 16_000,
      netTokensPerSecond: 20_000,
      samples: [{ promptTokens: 8000, ttftMs: 500 }, { ttftMs: 500 }],
    })
  })

  test('tells the host’s part when the cached TTFT of two contexts shows how it grows', () => {
    const contexts = { contexts: [8192, 16_384], concurrency: [1] }
    const desk = new Desk(contexts).calibrate().prefill(500).prefill(900)
    for (const [promptTokens, ttftMs] of [
      [8000, 100],
      [16_000, 180],
    ] as const) {
      desk.launch().open()
      const window = desk.state.job?.window
      if (!window) throw new Error('a window was announced')
      desk.wait(30_150).obey()
      const writtenAt = window.from - 2000
      const times = { writtenAt, firstTokenAt: writtenAt + ttftMs, promptTokens }
      desk.closed(window.to, [streamed(window, times)])
    }
    // 10 µs a token
    expect(built(desk.state).prefill.map(row => row.hostTokenizeMs)).toEqual([80, 160])
  })

  test('has no net rate by a cell that must not be compared, or without one', () => {
    const foreign = measured(100, desk => desk.tell({ kind: 'drain-ended', drained: false }))
    expect(foreign).toMatchObject({ tokensPerSecond: 16_000, netTokensPerSecond: null })
    const alone = new Desk({ contexts: [8192], concurrency: [1] }).calibrate().prefill(500)
    expect(built(alone.state).prefill[0]).toMatchObject({ tokensPerSecond: 16_000, netTokensPerSecond: null })
  })

  test('has no net rate by a cell of another context, or of several streams', () => {
    const netRates = (concurrency: number) => {
      const contexts = { contexts: [8192], prefillContexts: [8192, 16_384], concurrency: [concurrency] }
      const desk = new Desk(contexts).calibrate().prefill(500).prefill(900).launch().open()
      const window = desk.state.job?.window
      if (!window) throw new Error('a window was announced')
      desk.wait(30_150).obey()
      // written 2000 ms before the window and answered 100 ms later
      desk.closed(window.to, [streamed(window)])
      expect(desk.state.cells[0]).toMatchObject({ status: 'valid', summary: { ttftMs: { headline: 100 } } })
      return built(desk.state).prefill.map(row => row.netTokensPerSecond)
    }
    expect(netRates(1)).toEqual([20_000, null])
    expect(netRates(2)).toEqual([null, null])
  })

  test('that failed says why and has no figures', () => {
    const desk = new Desk({ prefillContexts: [8192], phases: 'prefill' }).calibrate()
    desk.idle()
    desk.ended(brokenBy(busy))
    expect(built(desk.state).prefill[0]).toMatchObject({
      status: 'failed',
      reasons: [{ kind: 'failed', message: 'HTTP 503: busy' }],
      ttftMs: null,
      samples: [],
    })
  })
})

describe('the hardware', () => {
  const host = { cpu: 'a CPU', cores: 2, memoryMiB: 24_000, os: 'linux' }
  const gpu = {
    index: 0,
    name: 'NVIDIA H200',
    memoryMiB: 143_771,
    driver: '590.48.01',
    powerLimitW: 700,
    migInstances: ['3g.71gb'],
  }

  test('is what was found, and unknown where nobody looked', () => {
    const desk = new Desk(decode(1))
    expect(built(desk.state).hardware).toEqual({ gpus: null, host: null })
    desk.tell({ kind: 'hardware-found', hardware: { gpus: [gpu], host } })
    expect(built(desk.state).hardware).toEqual({ gpus: [gpu], host })
  })

  test('of a cell is told with its figures, and is null without a look at a GPU', () => {
    const desk = new Desk(decode(1, 2)).calibrate().measure().launch().open()
    const window = desk.state.job?.window
    if (!window) throw new Error('a window was announced')
    for (let at = window.from + 1500; at < window.to; at += 3000)
      desk.tell({
        kind: 'hardware-sampled',
        sample: { at, gpus: [gpuSample({ powerW: 250, throttle: ['power-cap'] })], host: null },
      })
    desk.wait(30_150).obey()
    desk.closed()
    const result = built(desk.state)
    expect(resultSchema.safeParse(result).error).toBe(undefined)
    expect(result.decode[0]?.hardware).toBe(null)
    expect(result.decode[1]?.hardware).toEqual({
      powerW: { mean: 250, max: 250 },
      utilisation: { mean: null },
      temperatureC: { max: null },
      clockMHz: { mean: null },
      throttle: [{ reason: 'power-cap', share: 1 }],
      // 100 tok/s
      tokensPerJoule: 0.4,
    })
  })
})
