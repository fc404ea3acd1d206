import { expect, test } from 'vitest'
import { decodeLadder, planMatrix } from '../../src/domain/plan.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import { type ServerLimits, unknownLimits } from '../../src/domain/server-facts.ts'
import { options } from './build.ts'

const K = 1024
const plan = (change: Partial<RunOptions>, limits: Partial<ServerLimits>) =>
  planMatrix({ ...options, ...change }, { ...unknownLimits, ...limits })
const contexts = (rows: readonly { contextTokens: number }[]) => rows.map(row => row.contextTokens)
const inK = (rows: readonly { contextTokens: number }[]) => contexts(rows).map(tokens => tokens / K)

test('a limit of 256K gives decode contexts up to 251K, and prefill contexts that end with the full limit', () => {
  const { prefill, cells } = plan({}, { contextTokens: 262_144 })
  // 262144 - 4096 - 1024 = 257024 = 251 × 1024
  expect(inK(cells)).toEqual([8, 16, 32, 64, 128, 251])
  expect(contexts(cells).at(-1)).toBe(257_024)
  expect(inK(prefill)).toEqual([8, 16, 32, 64, 128, 251, 256])
})

test('a limit of 1M gives decode contexts up to 1019K, and prefill contexts that end with the full limit', () => {
  const { prefill, cells } = plan({}, { contextTokens: 1_048_576 })
  // 1048576 - 4096 - 1024 = 1043456 = 1019 × 1024
  expect(inK(cells)).toEqual([8, 16, 32, 64, 128, 256, 512, 1019])
  expect(inK(prefill)).toEqual([8, 16, 32, 64, 128, 256, 512, 1019, 1024])
})

test('every context of the default ladder fits the context limit', () => {
  for (const contextTokens of [10_000, 32_768, 33_000, 40_960, 131_072, 262_144, 1_048_576]) {
    const { prefill, cells } = plan({}, { contextTokens })
    expect([...prefill, ...cells].map(({ fit }) => fit.kind)).not.toContain('over')
  }
})

test('a limit between two powers of two leaves the ladder at the lower one, as long as the output fits', () => {
  // 40960 - 4096 - 1024 = 35840 > 32K
  expect(decodeLadder(40 * K, 4096)).toEqual([8 * K, 16 * K, 32 * K])
  // 33000 - 4096 - 1024 = 27880 < 32K
  expect(decodeLadder(33_000, 4096)).toEqual([8 * K, 16 * K, 27_880])
})

test('a long output shortens the last context, and contexts that become the same are measured once', () => {
  // 32768 - 20000 - 1024 = 11744: 16K and 32K are both cut to it
  expect(contexts(plan({ maxOutputTokens: 20_000 }, { contextTokens: 32 * K }).cells)).toEqual([8192, 11_744])
})

test('a server with less room than the ladder begins with gets the one context that it can hold', () => {
  // 7000 - 4096 - 1024 = 1880
  expect(decodeLadder(7000, 4096)).toEqual([1880])
  expect(contexts(plan({}, { contextTokens: 7000 }).prefill)).toEqual([1880, 7000])
})

test('a server whose limit leaves no room for a prompt gets context 0: the instruction alone', () => {
  expect(decodeLadder(4096, 4096)).toEqual([0])
  expect(decodeLadder(8192, 8192)).toEqual([0])
  // there is nothing to read in context 0: only the full limit is left for prefill
  expect(contexts(plan({}, { contextTokens: 4096 }).prefill)).toEqual([4096])
})

test('a server that does not tell its limit is measured up to what 32K hold, the same for prefill', () => {
  // 32768 - 4096 - 1024 = 27648
  const { prefill, cells } = plan({}, {})
  expect(contexts(cells)).toEqual([8192, 16_384, 27_648])
  expect(contexts(prefill)).toEqual([8192, 16_384, 27_648])
})

test('contexts that the user names are never cut: what exceeds the limit is over capacity', () => {
  const { prefill, cells } = plan({ contexts: [262_144, 300_000] }, { contextTokens: 262_144 })
  expect(contexts(cells)).toEqual([262_144, 300_000])
  expect(cells.map(({ fit }) => fit.kind)).toEqual(['over', 'over'])
  // one output token after a prompt of the full limit: the prompt stays just below it
  expect(prefill.map(({ contextTokens, fit }) => [contextTokens, fit.kind])).toEqual([
    [262_144, 'fits'],
    [300_000, 'over'],
  ])
})

test('contexts named for decode serve for prefill too, but for context 0, which has nothing to read', () => {
  expect(contexts(plan({ contexts: [0, 8192] }, { contextTokens: 262_144 }).prefill)).toEqual([8192])
})

test('prefill contexts can be named on their own', () => {
  const { prefill, cells } = plan({ contexts: [8192], prefillContexts: [32_768, 16_384] }, {})
  expect(contexts(prefill)).toEqual([16_384, 32_768])
  expect(contexts(cells)).toEqual([8192])
})

test('cells are measured context by context, each with its concurrency ascending, duplicates once', () => {
  const { cells } = plan({ contexts: [16_384, 8192, 8192], concurrency: [4, 1, 2, 4] }, {})
  expect(cells.map(({ contextTokens, concurrency }) => [contextTokens, concurrency])).toEqual([
    [8192, 1],
    [8192, 2],
    [8192, 4],
    [16_384, 1],
    [16_384, 2],
    [16_384, 4],
  ])
})

test('a run of one phase plans nothing of the other', () => {
  const onlyPrefill = plan({ phases: 'prefill' }, {})
  expect([onlyPrefill.prefill.length, onlyPrefill.cells.length]).toEqual([3, 0])
  const onlyDecode = plan({ phases: 'decode' }, {})
  expect([onlyDecode.prefill.length, onlyDecode.cells.length]).toEqual([0, 3])
})
