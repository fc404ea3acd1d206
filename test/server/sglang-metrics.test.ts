import { expect, test } from 'vitest'
import { type ServerLimits, unknownLimits } from '../../src/domain/server-facts.ts'
import { emptyReading } from '../../src/server/engine-adapter.ts'
import { sglang } from '../../src/server/sglang.ts'
import { metricsOf, metricsText } from './fixture.ts'

const oneRank: ServerLimits = { ...unknownLimits, kvCacheTokens: 10_000 }
const twoRanks: ServerLimits = { ...unknownLimits, kvCacheTokens: 32_768, dataParallelRanks: 2 }

const read = (text: string, limits = oneRank) =>
  sglang.read({ metrics: metricsOf(text), loads: undefined }, limits)

const rankOf = (name: string) => ({ name, queued: null, kvUsedTokens: null, kvCapacityTokens: null })

test('two ranks are summed once each: no copies, priorities or later stages', () => {
  expect(read(metricsText('sglang-two-ranks'), twoRanks)).toEqual({
    running: 19,
    queued: 4,
    fresh: false,
    kvUsedTokens: 30_000,
    kvCapacityTokens: 65_536,
    kvCacheUsage: 30_000 / 65_536,
    stateSlotUsage: null,
    realtimeDecodeTokens: 1_500_000,
    countsFirstTokens: false,
    realtimePrefillTokens: 750,
    realtimeCachedTokens: 64,
    generationTokensPerSecond: 772.75,
    retractions: 3,
    // (12 × 3 + 7 × 2) / 19
    acceptLength: 50 / 19,
    ranks: [
      { name: '0', running: 12, queued: 3, kvUsedTokens: 20_000, kvCapacityTokens: 32_768 },
      { name: '1', running: 7, queued: 1, kvUsedTokens: 10_000, kvCapacityTokens: 32_768 },
    ],
  })
})

test('an old server gives what it has, and its KV usage is of the capacity it was launched with', () => {
  expect(read(metricsText('sglang-0.4'))).toEqual({
    ...emptyReading,
    running: 2,
    queued: 0,
    kvUsedTokens: 1500,
    kvCapacityTokens: 10_000,
    kvCacheUsage: 0.15,
    generationTokensPerSecond: 81.5,
  })
})

test('the workers behind a router are summed', () => {
  expect(read(metricsText('sglang-router'), unknownLimits)).toEqual({
    ...emptyReading,
    running: 7,
    realtimeDecodeTokens: 100,
    countsFirstTokens: false,
    ranks: [
      { ...rankOf('grpc://127.0.0.1:8001 0'), running: 3 },
      { ...rankOf('grpc://127.0.0.1:8002 0'), running: 4 },
    ],
  })
})

test('state slots of a hybrid model count as used when they cannot be reclaimed', () => {
  const reading = read(metricsText('sglang-hybrid'), unknownLimits)
  // 32 of 32 + 6 + 2
  expect(reading.stateSlotUsage).toBe(0.8)
  expect(reading.kvCacheUsage).toBe(0.25)
  expect(reading.kvUsedTokens).toBeNull()
  expect(reading.retractions).toBe(5)
  expect(reading.acceptLength).toBeNull()
})

test('the fullest pool is the usage only where nothing better is told', () => {
  expect(read('sglang:token_usage 0.4').kvCacheUsage).toBe(0.4)
  expect(read('sglang:token_usage 0.4\nsglang:num_used_tokens 3000').kvCacheUsage).toBe(0.3)
})

test('the names of the first versions are understood', () => {
  const reading = read(
    'sglang:num_requests_running{name="m"} 1\nsglang:queue_req{name="m"} 2\nsglang:num_requests_waiting{name="m"} 2',
  )
  expect([reading.running, reading.queued]).toEqual([1, 2])
})

test('ranks that write over one another are unknown, not a part of the truth', () => {
  const reading = read(metricsText('sglang-0.4'), twoRanks)
  expect(reading).toEqual({ ...emptyReading, kvCapacityTokens: 65_536 })
})

test('what is absent is unknown and what is zero is zero', () => {
  expect(read('sglang:num_running_reqs 0')).toEqual({
    ...emptyReading,
    running: 0,
    kvCapacityTokens: 10_000,
  })
})

test('a live counter appears with its first token: beside prompts that were computed an absent one is 0', () => {
  const page = (mode: string) => `sglang:realtime_tokens_total{mode="${mode}"} 700`
  expect(read(page('prefill_compute'))).toMatchObject({
    realtimeDecodeTokens: 0,
    realtimePrefillTokens: 700,
    realtimeCachedTokens: 0,
  })
  expect(read(page('decode'))).toMatchObject({ realtimePrefillTokens: null, realtimeCachedTokens: null })
})
