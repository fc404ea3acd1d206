import { expect, test } from 'vitest'
import {
  needsWarmUp,
  netPrefillRate,
  type PrefillSample,
  prefillSample,
  samplesMissing,
  summarizePrefill,
} from '../../src/domain/prefill-row.ts'
import { trace } from './build.ts'

const K = 1024
const took = (ttftMs: number, promptTokens: number | null = 8000): PrefillSample => ({
  promptTokens,
  cachedTokens: 0,
  ttftMs,
})

test('the first request of a row is thrown away up to 64K, and not above', () => {
  expect([8 * K, 64 * K, 64 * K + 1].map(needsWarmUp)).toEqual([true, true, false])
})

test('a row of up to 64K needs two cold samples', () => {
  expect(samplesMissing(64 * K, [], null)).toBe(2)
  expect(samplesMissing(64 * K, [took(300)], null)).toBe(1)
  expect(samplesMissing(64 * K, [took(300), took(301)], null)).toBe(0)
})

test('two samples that differ by more than 5 % call for a third, and no fourth', () => {
  expect(samplesMissing(8 * K, [took(400), took(420)], null)).toBe(0)
  expect(samplesMissing(8 * K, [took(400), took(421)], null)).toBe(1)
  expect(samplesMissing(8 * K, [took(421), took(400)], null)).toBe(1)
  expect(samplesMissing(8 * K, [took(400), took(421), took(900)], null)).toBe(0)
})

test('a longer row is measured once', () => {
  expect(samplesMissing(128 * K, [], null)).toBe(1)
  expect(samplesMissing(128 * K, [took(8000)], null)).toBe(0)
})

test('a number of samples that was asked for holds at every length, however they differ', () => {
  expect(samplesMissing(128 * K, [took(8000)], 3)).toBe(2)
  expect(samplesMissing(8 * K, [took(400)], 1)).toBe(0)
  expect(samplesMissing(8 * K, [took(400), took(900)], 2)).toBe(0)
})

test('a sample is the TTFT of one cold request; without a token there is none', () => {
  const counts = { promptTokens: 8001, cachedTokens: 3 }
  expect(prefillSample(trace({ ...counts, writtenAt: 10, firstTokenAt: 310 }))).toEqual({
    ...counts,
    ttftMs: 300,
  })
  expect(prefillSample(trace({ ...counts, writtenAt: 10, firstTokenAt: null }))).toBe(null)
})

test('a row is told by the medians of its samples', () => {
  // 8000 / 0.4 s = 20000, 8100 / 0.3 s = 27000, 9000 / 0.5 s = 18000
  const samples = [took(400, 8000), took(300, 8100), took(500, 9000)]
  expect(summarizePrefill(samples)).toEqual({
    promptTokens: 8100,
    ttftMs: 400,
    tokensPerSecond: 20_000,
    samples,
  })
})

test('a row without samples has no figures, one without token counts no rate', () => {
  expect(summarizePrefill([])).toBe(null)
  expect(summarizePrefill([took(400, null)])).toMatchObject({
    promptTokens: null,
    ttftMs: 400,
    tokensPerSecond: null,
  })
})

test('the net rate leaves out the time that a cached prompt of this length takes', () => {
  const summary = summarizePrefill([took(500, 8000)])
  if (summary === null) throw new Error('one sample makes a summary')
  // 8000 / (500 - 100) ms
  expect(netPrefillRate(summary, 100)).toBe(20_000)
  expect(netPrefillRate(summary, null)).toBe(null)
  expect(netPrefillRate(summary, 500)).toBe(null)
  expect(netPrefillRate({ ...summary, promptTokens: null }, 100)).toBe(null)
})
