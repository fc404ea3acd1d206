import { expect, test } from 'vitest'
import { itlMs, ttftMs } from '../../src/domain/request-trace.ts'
import { share, trace } from './build.ts'

test('TTFT runs from the write of the request to its first token', () => {
  expect(ttftMs(trace({ writtenAt: 100.5, firstTokenAt: 260 }))).toBe(159.5)
})

test('a request that was not written, or not answered, has no TTFT', () => {
  expect(ttftMs(trace({ writtenAt: null, firstTokenAt: 260 }))).toBe(null)
  expect(ttftMs(trace({ writtenAt: 100, firstTokenAt: null }))).toBe(null)
})

test('ITL is the time after the first chunk over the tokens after the first chunk', () => {
  // 4 chunks of 3 tokens in 90 ms: 90 / 9
  expect(itlMs(share({ firstAt: 1000, lastAt: 1090, chunks: 4, tokens: 12, firstChunkTokens: 3 }))).toBe(10)
})

test('ITL needs two chunks, and tokens after the first of them', () => {
  expect(itlMs(share({ firstAt: 1000, lastAt: 1000, chunks: 1, tokens: 5, firstChunkTokens: 5 }))).toBe(null)
  expect(itlMs(share({ firstAt: 1000, lastAt: 1090, chunks: 2, tokens: 5, firstChunkTokens: 5 }))).toBe(null)
})

test('a request whose chunks all arrived at one time tells no ITL, and so no infinite speed', () => {
  expect(itlMs(share({ firstAt: 1000, lastAt: 1000, chunks: 3, tokens: 30, firstChunkTokens: 10 }))).toBe(
    null,
  )
})
