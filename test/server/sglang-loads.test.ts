import { expect, test } from 'vitest'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { emptyReading } from '../../src/server/engine-adapter.ts'
import { sglang } from '../../src/server/sglang.ts'
import { metricsOf, metricsText } from './fixture.ts'

const ranks = [
  {
    dp_rank: 0,
    num_running_reqs: 6,
    num_waiting_reqs: 1,
    num_used_tokens: 3000,
    max_total_num_tokens: 10_000,
    gen_throughput: 100.5,
    speculative: { accept_length: 4 },
    something_new: {},
  },
  {
    dp_rank: 1,
    num_running_reqs: 2,
    num_waiting_reqs: 0,
    num_used_tokens: 1000,
    max_total_num_tokens: 10_000,
    gen_throughput: 50,
    speculative: { accept_length: 2 },
  },
]
const read = (loads: unknown, metrics: string | null = null) =>
  sglang.read({ metrics: metrics === null ? null : metricsOf(metrics), loads }, unknownLimits)

test.each([
  ['the current shape', { timestamp: 't', version: 'v', loads: ranks }],
  ['an aggregate around it', { dp_rank_count: 2, aggregate: { total_running_reqs: 8 }, loads: ranks }],
  ['a bare list', ranks],
])('loads in %s are summed over ranks and fresh', (_, loads) => {
  expect(read(loads)).toEqual({
    ...emptyReading,
    running: 8,
    queued: 1,
    fresh: true,
    kvUsedTokens: 4000,
    kvCapacityTokens: 20_000,
    kvCacheUsage: 0.2,
    generationTokensPerSecond: 150.5,
    // (6 × 4 + 2 × 2) / 8
    acceptLength: 3.5,
    ranks: [
      { name: '0', running: 6, queued: 1, kvUsedTokens: 3000, kvCapacityTokens: 10_000 },
      { name: '1', running: 2, queued: 0, kvUsedTokens: 1000, kvCapacityTokens: 10_000 },
    ],
  })
})

test('a single rank is the server, and is not told twice', () => {
  expect(read([ranks[0]]).ranks).toBe(null)
})

test('loads go before gauges, which add what only they know', () => {
  const reading = read({ loads: ranks }, metricsText('sglang-0.4'))
  expect(reading.running).toBe(8)
  expect(reading.kvUsedTokens).toBe(4000)
  expect(
    read({ loads: ranks }, 'sglang:num_retracted_requests_total 3\nsglang:mamba_usage 0.5'),
  ).toMatchObject({
    retractions: 3,
    stateSlotUsage: 0.5,
  })
})

test('no used tokens beside running requests means that they are not counted', () => {
  const loads = [{ ...ranks[0], num_used_tokens: 0 }]
  expect(read(loads)).toMatchObject({ kvUsedTokens: null, kvCacheUsage: null, kvCapacityTokens: 10_000 })
  expect(read(loads, 'sglang:kv_used_tokens 500\nsglang:max_total_num_tokens 10000')).toMatchObject({
    kvUsedTokens: 500,
    kvCacheUsage: 0.05,
  })
})

test('an idle server has no rate, whatever its gauge kept', () => {
  const loads = [{ ...ranks[0], num_running_reqs: 0 }]
  expect(read(loads, 'sglang:gen_throughput 99').generationTokensPerSecond).toBeNull()
})

test.each([
  ['an error', { object: 'error' }],
  ['no rank', { loads: [] }],
  ['text', 'ok'],
  ['nothing', undefined],
])('%s instead of loads leaves the gauges, which are not fresh', (_, loads) => {
  expect(read(loads, 'sglang:num_running_reqs 3')).toMatchObject({ running: 3, fresh: false })
  expect(read(loads)).toEqual(emptyReading)
})

test('a rank that does not tell makes the sum unknown', () => {
  expect(read([ranks[0], { num_running_reqs: 1 }])).toMatchObject({
    running: 7,
    queued: null,
    fresh: false,
    kvUsedTokens: null,
  })
})
