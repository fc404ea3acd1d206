import { expect, test } from 'vitest'
import { baseProfile } from '../../src/simulator/fit/base-profile.ts'
import { fitProfile } from '../../src/simulator/fit/fit-profile.ts'
import { fitRelative } from '../../src/simulator/fit/least-deviation.ts'
import { coldTtftMs, measureCell } from '../../src/simulator/fit/measure-profile.ts'
import { atSpeedOne, type MeasuredTable, readMeasuredTable } from '../../src/simulator/fit/measured-table.ts'
import type { Profile } from '../../src/simulator/profile.ts'
import { fast } from '../../src/simulator/profiles/fast.ts'

test('coefficients of exact data are found, over 12 orders of magnitude, and an outlier moves them little', () => {
  const rows = [1000, 2000, 4000, 8000, 16_000, 64_000].map(n => [1, n, n * n])
  const targets = rows.map(([a = 0, b = 0, c = 0]) => 5 * a + 0.02 * b + 3e-7 * c)
  for (const [i, found] of fitRelative(rows, targets).entries())
    expect(found).toBeCloseTo([5, 0.02, 3e-7][i] ?? 0, 8)
  const shifted = targets.map((target, i) => (i === 2 ? target * 1.5 : target))
  const [, perToken = 0] = fitRelative(rows, shifted)
  expect(perToken).toBeCloseTo(0.02, 3)
})

test('no coefficient is negative', () => {
  expect(
    fitRelative(
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
      [3, 2, 1],
    )[1],
  ).toBe(0)
})

/** What a client measures on a server, as a table. */
function measured(profile: Profile): MeasuredTable {
  const contexts = [8192, 32_768, 65_536]
  const cell = (contextTokens: number, concurrency: number) => {
    const run = { contextTokens, concurrency, maxOutputTokens: 1024, windowMs: 30_000, seed: 3 }
    const { totalTokensPerSecond, perRequestTokensPerSecond, launchTtftMs } = measureCell(profile, run)
    return {
      contextTokens,
      concurrency,
      status: 'valid',
      totalTokensPerSecond,
      perRequestTokensPerSecond,
      launchTtftMs,
      itlMs: null,
      running: null,
      stepMs: null,
      tokensPerStep: null,
    }
  }
  return {
    title: 'a known server',
    maxOutputTokens: 1024,
    prefill: contexts.map(contextTokens => ({
      contextTokens,
      promptTokens: contextTokens,
      ttftMs: coldTtftMs(profile, contextTokens),
    })),
    cells: contexts.flatMap(contextTokens => [1, 4, 16].map(streams => cell(contextTokens, streams))),
    server: {
      modelId: 'known',
      modelPath: null,
      contextTokens: 131_072,
      kvPoolTokens: 4_000_000,
      pageTokens: 64,
      maxRunningRequests: 256,
      ranks: 1,
      settings: new Map<string, unknown>([['chunked_prefill_size', 8192]]),
    },
  }
}

test('a server whose costs are known is found again from what a client measures on it', () => {
  const known: Profile = {
    ...fast,
    host: { tokenizerUs: 2, requestMs: 30, disconnectMs: 1000 },
    prefill: { batchMs: 10, tokenMs: 0.03, pairMs: 2e-7, residual: null },
    decode: { fixedMs: 6, streamMs: 1, streamExponent: 0.7, contextMs: 2e-6 },
    jitter: 0.01,
  }
  const table = measured(known)
  const fitted = fitProfile(table, baseProfile(table, 'found'), { windowMs: 30_000, rounds: 3, seed: 5 })
  expect(fitted.host.tokenizerUs).toBeCloseTo(2, 0)
  expect(fitted.host.requestMs / 30).toBeCloseTo(1, 0)
  expect(fitted.prefill.tokenMs / 0.03).toBeCloseTo(1, 1)
  expect(fitted.prefill.pairMs / 2e-7).toBeCloseTo(1, 1)
  for (const { contextTokens, concurrency, totalTokensPerSecond } of table.cells) {
    const run = { contextTokens, concurrency, maxOutputTokens: 1024, windowMs: 30_000, seed: 9 }
    const again = measureCell(fitted, run).totalTokensPerSecond
    expect(Math.abs(again / (totalTokensPerSecond ?? 0) - 1)).toBeLessThan(0.05)
  }
})

test('what smooth costs cannot give goes into the residual of acceptance', () => {
  const known: Profile = {
    ...fast,
    speculative: {
      algorithm: 'X',
      draftTokens: 6,
      acceptLength: 2.5,
      residual: {
        rows: [32_768, 65_536],
        columns: [1, 4],
        values: [
          [1, 1.3],
          [1, 1],
        ],
      },
      lag: 0,
    },
  }
  const table = measured(known)
  const base = { ...fast, speculative: { ...(known.speculative ?? never()), residual: null } }
  const fitted = fitProfile(table, base, { windowMs: 30_000, rounds: 4, seed: 5 })
  const residual = fitted.speculative?.residual
  const at = (row: number, column: number) => residual?.values[row]?.[column] ?? Number.NaN
  expect(residual).toMatchObject({ rows: [8192, 32_768, 65_536], columns: [1, 4, 16] })
  expect(at(1, 1) / at(2, 1)).toBeCloseTo(1.3, 1)
})

test('a queued cell that runs fewer requests than the server says shows its hidden limit', () => {
  const table = measured(fast)
  const queued = { ...table.cells[0], status: 'requests-queued', concurrency: 64, running: 40.7 }
  const withQueue = { ...table, cells: [...table.cells, { ...blank, ...queued }] }
  expect(baseProfile(withQueue, 'x').limits.state).toMatchObject({ total: 41, reservedPerRequest: 1 })
  expect(baseProfile(table, 'x').limits.state).toBeNull()
})

const blank: MeasuredTable['cells'][number] = {
  contextTokens: 8192,
  concurrency: 1,
  status: 'valid',
  totalTokensPerSecond: null,
  perRequestTokensPerSecond: null,
  launchTtftMs: null,
  itlMs: null,
  running: null,
  stepMs: null,
  tokensPerStep: null,
}

test('a published table is read: K into tokens, prefill rows apart, absent figures null', () => {
  const table = readMeasuredTable({
    title: 'A on B',
    run: { servedModel: 'a', modelPath: 'org/a', maxOutputTokens: 4096 },
    launch: { contextLength: 262_144, maxRunningRequests: null },
    rows: [
      { phase: 'prefill', contextK: 8, concurrency: 1, status: 'valid', totalTokPerS: 100, ttftMs: 803 },
      { phase: 'decode', contextK: 251, concurrency: 2, status: 'over-capacity', totalTokPerS: null },
    ],
  })
  expect(table.prefill).toEqual([{ contextTokens: 8192, promptTokens: 8192, ttftMs: 803 }])
  expect(table.cells).toMatchObject([{ contextTokens: 257_024, concurrency: 2, totalTokensPerSecond: null }])
  expect(table.server).toMatchObject({ contextTokens: 262_144, maxRunningRequests: null })
})

test('anything else is refused, and a wrong field is named with its place', () => {
  expect(() => readMeasuredTable({ a: 1 })).toThrow('neither a tokgrid result nor a table')
  expect(() => readMeasuredTable([])).toThrow('the document must be an object')
  const rows = [{ phase: 'decode', contextK: '8', concurrency: 1, status: 'valid' }]
  const document = {
    title: 'A',
    run: { servedModel: 'a', maxOutputTokens: 1 },
    launch: {},
    rows,
  }
  expect(() => readMeasuredTable(document)).toThrow(
    'rows[0].contextK must be a number of at least 0, but is "8"',
  )
})

test('a table of a server at speed 4 is brought to speed 1: rates divided, times multiplied', () => {
  const table: MeasuredTable = {
    ...measured(fast),
    prefill: [{ contextTokens: 8192, promptTokens: 8192, ttftMs: 100 }],
    cells: [{ ...blank, totalTokensPerSecond: 400, launchTtftMs: 10, stepMs: 2, tokensPerStep: 3 }],
  }
  const slow = atSpeedOne(table, 4)
  expect(slow.prefill[0]?.ttftMs).toBe(400)
  expect(slow.cells[0]).toMatchObject({
    totalTokensPerSecond: 100,
    launchTtftMs: 40,
    stepMs: 8,
    tokensPerStep: 3,
  })
})

function never(): never {
  throw new Error('the known server speculates')
}
