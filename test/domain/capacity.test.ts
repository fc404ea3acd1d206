import { expect, test } from 'vitest'
import { type CellSize, fitCell } from '../../src/domain/capacity.ts'
import { planMatrix } from '../../src/domain/plan.ts'
import { type ServerLimits, unknownLimits } from '../../src/domain/server-facts.ts'
import { options } from './build.ts'

type Prompts = { prompts: 'unique' | 'shared'; kvBudgetTokens: number | null }
const unique: Prompts = { prompts: 'unique', kvBudgetTokens: null }
const shared: Prompts = { prompts: 'shared', kvBudgetTokens: null }
const fitOf = (cell: Partial<CellSize>, limits: Partial<ServerLimits>, prompts = unique) =>
  fitCell({ contextTokens: 1000, concurrency: 1, maxOutputTokens: 100, ...cell }, prompts, {
    ...unknownLimits,
    ...limits,
  })
const kvNeed = (cell: Partial<CellSize>, limits: Partial<ServerLimits>, prompts = unique) => {
  const found = fitOf(cell, { kvCacheTokens: 1, ...limits }, prompts)
  return found.kind === 'over' ? found.limits.find(({ kind }) => kind === 'kv-cache')?.needed : null
}

test('nothing is over capacity on a server that tells no limits', () => {
  expect(fitOf({ contextTokens: 10_000_000, concurrency: 4096 }, {})).toEqual({ kind: 'fits' })
})

test('prompt and output together may fill the context limit, and no more', () => {
  expect(fitOf({}, { contextTokens: 1100 })).toEqual({ kind: 'fits' })
  expect(fitOf({}, { contextTokens: 1099 })).toEqual({
    kind: 'over',
    limits: [{ kind: 'context-length', needed: 1100, available: 1099 }],
  })
})

test('running requests may be as many as all ranks together take', () => {
  expect(fitOf({ concurrency: 32 }, { maxRunningRequests: 16, dataParallelRanks: 2 })).toEqual({
    kind: 'fits',
  })
  expect(fitOf({ concurrency: 33 }, { maxRunningRequests: 16, dataParallelRanks: 2 })).toEqual({
    kind: 'over',
    limits: [{ kind: 'max-running-requests', needed: 33, available: 32 }],
  })
})

test('unique prompts need, for each stream, prompt, output and draft tokens in whole pages and one page more', () => {
  // pages of 64: 1000 + 100 + 8 = 1108 -> 18 pages = 1152, + 64 = 1216, × 3
  expect(kvNeed({ concurrency: 3 }, { pageSize: 64, draftTokens: 8 })).toBe(3648)
  // without pages a page is one token: 3 × (1100 + 1)
  expect(kvNeed({ concurrency: 3 }, {})).toBe(3303)
})

test('one shared prompt is held once; each stream adds its output and draft tokens in whole pages', () => {
  // 1000 -> 16 pages = 1024; 100 + 8 = 108 -> 2 pages = 128, × 3
  expect(kvNeed({ concurrency: 3 }, { pageSize: 64, draftTokens: 8 }, shared)).toBe(1024 + 384)
})

test('the streams are spread over the ranks, and one rank has to hold its share', () => {
  // ceil(5 / 2) = 3 streams on the fuller rank: 3 × 1101
  expect(kvNeed({ concurrency: 5 }, { dataParallelRanks: 2 })).toBe(3303)
  expect(fitOf({ concurrency: 5 }, { dataParallelRanks: 2, kvCacheTokens: 3303 })).toEqual({ kind: 'fits' })
})

test('a cell fits while the cache holds its full need, is tight while it holds 1.05 times the mean, else is over', () => {
  // at most 4 × (1000 + 400 + 1) = 5604; on average 4 × (1000 + 200) = 4800, × 1.05 = 5040
  const cell = { concurrency: 4, maxOutputTokens: 400 }
  expect(fitOf(cell, { kvCacheTokens: 5604 })).toEqual({ kind: 'fits' })
  const tight = (available: number) => ({
    kind: 'tight',
    limit: { kind: 'kv-cache', needed: 5604, available },
  })
  expect(fitOf(cell, { kvCacheTokens: 5603 })).toEqual(tight(5603))
  expect(fitOf(cell, { kvCacheTokens: 5040 })).toEqual(tight(5040))
  expect(fitOf(cell, { kvCacheTokens: 5039 })).toEqual({
    kind: 'over',
    limits: [{ kind: 'kv-cache', needed: 5604, available: 5039 }],
  })
})

test('with one shared prompt the mean holds that prompt once', () => {
  // at most 1000 + 10 × 400 = 5000; mean 1000 + 10 × 200 = 3000, × 1.05 = 3150
  const cell = { concurrency: 10, maxOutputTokens: 400 }
  expect(fitOf(cell, { kvCacheTokens: 5000 }, shared).kind).toBe('fits')
  expect(fitOf(cell, { kvCacheTokens: 3150 }, shared).kind).toBe('tight')
  expect(fitOf(cell, { kvCacheTokens: 3149 }, shared).kind).toBe('over')
})

test('a single stream is never tight: its end needs the whole length', () => {
  expect(fitOf({ maxOutputTokens: 400 }, { kvCacheTokens: 1400 }).kind).toBe('over')
})

test('a KV budget of the user replaces what the server tells', () => {
  expect(fitOf({}, { kvCacheTokens: 10 }, { ...unique, kvBudgetTokens: 5000 }).kind).toBe('fits')
  expect(fitOf({}, { kvCacheTokens: 5000 }, { ...unique, kvBudgetTokens: 10 }).kind).toBe('over')
  expect(fitOf({}, {}, { ...unique, kvBudgetTokens: 10 }).kind).toBe('over')
})

test('every violated limit is listed, in the order in which the server would hit them', () => {
  expect(
    fitOf({ concurrency: 4 }, { contextTokens: 1000, maxRunningRequests: 2, kvCacheTokens: 2000 }),
  ).toEqual({
    kind: 'over',
    limits: [
      { kind: 'context-length', needed: 1100, available: 1000 },
      { kind: 'max-running-requests', needed: 4, available: 2 },
      { kind: 'kv-cache', needed: 4404, available: 2000 },
    ],
  })
})

test('a tight cell that violates another limit is over by that one alone', () => {
  expect(
    fitOf({ concurrency: 4, maxOutputTokens: 400 }, { maxRunningRequests: 2, kvCacheTokens: 5040 }),
  ).toEqual({ kind: 'over', limits: [{ kind: 'max-running-requests', needed: 4, available: 2 }] })
})

test('prefill of the full limit sends a prompt just below it, which fits a KV cache of no more than the limit', () => {
  // floor(262144 × 0.997) - 1 = floor(261357.568) - 1 = 261356; + 1 output + 1 page = 261358
  const cell = { contextTokens: 262_144, maxOutputTokens: 1 }
  expect(fitOf(cell, { contextTokens: 262_144, kvCacheTokens: 262_144 })).toEqual({ kind: 'fits' })
  expect(fitOf(cell, { contextTokens: 262_144, kvCacheTokens: 261_357 })).toEqual({
    kind: 'over',
    limits: [{ kind: 'kv-cache', needed: 261_358, available: 261_357 }],
  })
})

test('the published matrix of Qwen3.5-35B-A3B on one H200 comes out: the same cells are over capacity', () => {
  const { cells } = planMatrix(
    { ...options, concurrency: [1, 2, 4, 8, 16, 32, 64, 128] },
    { ...unknownLimits, contextTokens: 262_144, kvCacheTokens: 850_048, maxRunningRequests: 32 },
  )
  const over = cells.flatMap(({ contextTokens, concurrency, fit: { kind } }) =>
    kind === 'over' ? [`${contextTokens / 1024}K × ${concurrency}`] : [],
  )
  expect(over).toEqual([
    ...['8K × 64', '8K × 128'],
    ...['16K × 64', '16K × 128'],
    ...['32K × 32', '32K × 64', '32K × 128'],
    ...['64K × 16', '64K × 32', '64K × 64', '64K × 128'],
    ...['128K × 8', '128K × 16', '128K × 32', '128K × 64', '128K × 128'],
    ...['251K × 4', '251K × 8', '251K × 16', '251K × 32', '251K × 64', '251K × 128'],
  ])
  expect(cells.filter(({ fit: { kind } }) => kind === 'fits')).toHaveLength(48 - over.length)
})

test('each over-capacity cell of the published matrix names the limit that binds first', () => {
  const limit = (contextTokens: number, concurrency: number) => {
    const found = fitOf(
      { contextTokens, concurrency, maxOutputTokens: 4096 },
      { contextTokens: 262_144, kvCacheTokens: 850_048, maxRunningRequests: 32 },
    )
    return found.kind === 'over' ? found.limits.map(({ kind }) => kind) : []
  }
  // 64 × (8192 + 4096 + 1) = 786496 <= 850048: only the running requests are too many
  expect(limit(8192, 64)).toEqual(['max-running-requests'])
  // 128 × 12289 = 1572992
  expect(limit(8192, 128)).toEqual(['max-running-requests', 'kv-cache'])
  // 32 × (32768 + 4096 + 1) = 1179680
  expect(limit(32_768, 32)).toEqual(['kv-cache'])
})
