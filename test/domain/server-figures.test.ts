import { expect, test } from 'vitest'
import { cacheHitShare, counterRate, restartedAt, serverFigures } from '../../src/domain/server-figures.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { sample } from './build.ts'

const decoded = (...values: readonly (number | null)[]) =>
  values.map((realtimeDecodeTokens, index) => sample({ at: index * 1000, realtimeDecodeTokens }))
const rate = (samples: readonly ServerSample[]) => counterRate(samples, one => one.realtimeDecodeTokens)

test('a counter’s rate is its increase between the first and the last reading, per second', () => {
  // 900 in 3 s, whatever is between
  expect(rate(decoded(100, 150, null, 1000))).toBe(300)
  // unknown readings at the ends are no readings: 800 in 2 s
  expect(rate(decoded(null, 100, 300, 900, null))).toBe(400)
})

test('a counter that stands still has a rate of zero', () => {
  expect(rate(decoded(100, 100))).toBe(0)
})

test('one reading, or two at the same time, tell no rate', () => {
  expect(rate([])).toBe(null)
  expect(rate(decoded(100))).toBe(null)
  expect(rate(decoded(null, null))).toBe(null)
  expect(rate([...decoded(100), ...decoded(200)])).toBe(null)
})

test('a counter that falls tells of a restart: its rate is unknown, even if it has passed its old value', () => {
  expect(rate(decoded(1000, 10))).toBe(null)
  expect(rate(decoded(1000, 2000, 50, 1500))).toBe(null)
})

test('running and queued come from fresh samples alone, where there are any', () => {
  const { running, queued } = serverFigures([
    [
      sample({ running: 4, queued: 0 }),
      sample({ running: 2, queued: 3 }),
      sample({ fresh: false, running: 99, queued: 99 }),
      sample({ running: null, queued: null }),
    ],
  ])
  expect(running).toEqual({ mean: 3, max: 4 })
  expect(queued).toEqual({ mean: 1.5, max: 3, share: 0.5 })
})

test('without a fresh sample stale gauges speak', () => {
  const { running, queued } = serverFigures([
    [sample({ fresh: false, running: 4, queued: 0 }), sample({ fresh: false, running: 8, queued: 0 })],
  ])
  expect(running).toEqual({ mean: 6, max: 8 })
  expect(queued).toEqual({ mean: 0, max: 0, share: 0 })
})

test('cache and state slots come from all samples that tell them', () => {
  const { kvCacheUsage, stateSlotUsage, acceptLength } = serverFigures([
    [
      sample({ fresh: false, kvCacheUsage: 0.2, acceptLength: 3 }),
      sample({ kvCacheUsage: 0.4, stateSlotUsage: 0, acceptLength: 4 }),
      sample({}),
    ],
  ])
  expect(kvCacheUsage.mean).toBeCloseTo(0.3, 12)
  expect(kvCacheUsage.max).toBe(0.4)
  expect(stateSlotUsage).toEqual({ mean: 0, max: 0 })
  expect(acceptLength).toBe(3.5)
})

test('a count of retractions that appears inside the window began at 0', () => {
  const page = (retractions: number | null) => sample({ realtimeDecodeTokens: 1, retractions })
  expect(serverFigures([[page(null), sample(), page(null), page(2)]]).retractions).toBe(2)
  expect(serverFigures([[page(null), page(null)]]).retractions).toBe(null)
})

test('retractions are those inside the windows: between two passes nothing is counted', () => {
  const retracted = (...values: readonly number[]) => values.map(retractions => sample({ retractions }))
  // 2 in the first window, 1 in the second; the 7 between them do not count
  expect(serverFigures([retracted(0, 2), retracted(9, 10)]).retractions).toBe(3)
  expect(serverFigures([retracted(5)]).retractions).toBe(null)
  expect(serverFigures([retracted(5), retracted(5, 5)]).retractions).toBe(0)
})

test('the token rate of several passes is the mean of their rates', () => {
  // 100 tok/s and 300 tok/s
  expect(serverFigures([decoded(0, 100), decoded(5000, 5300)]).tokensPerSecond).toBe(200)
  expect(serverFigures([decoded(0, 100), decoded(5000, 10)]).tokensPerSecond).toBe(100)
})

test('a server that tells nothing has nothing but unknowns', () => {
  const figures = serverFigures([[sample(), sample()]])
  expect(figures).toEqual({
    running: { mean: null, max: null },
    queued: { mean: null, max: null, share: null },
    kvCacheUsage: { mean: null, max: null },
    stateSlotUsage: { mean: null, max: null },
    tokensPerSecond: null,
    acceptLength: null,
    retractions: null,
  })
  expect(serverFigures([[]])).toEqual(figures)
})

test('cache hits are the cached share of the prompt tokens that came between the readings', () => {
  const prompts = (...values: readonly (readonly [number | null, number | null])[]) =>
    values.map(([realtimePrefillTokens, realtimeCachedTokens]) =>
      sample({ realtimePrefillTokens, realtimeCachedTokens }),
    )
  // 100 computed, 300 cached
  expect(cacheHitShare(prompts([1000, 5000], [null, null], [1100, 5300]))).toBe(0.75)
  expect(cacheHitShare(prompts([1000, 5000], [1200, 5000]))).toBe(0)
  expect(cacheHitShare(prompts([1000, 5000], [1000, 5000]))).toBe(null)
  expect(cacheHitShare(prompts([1000, null], [1100, null]))).toBe(null)
})

test('a server began anew when any of its counters fell; the last time counts', () => {
  const at = (time: number, realtimeDecodeTokens: number | null, retractions: number | null = null) =>
    sample({ at: time, realtimeDecodeTokens, retractions })
  expect(restartedAt([at(1, 100), at(2, null), at(3, 100), at(4, 200)])).toBe(null)
  expect(restartedAt([at(1, 100), at(2, null), at(3, 10), at(4, 200)])).toBe(3)
  expect(restartedAt([at(1, 100, 3), at(2, 10, 3), at(3, 20, 0)])).toBe(3)
  expect(restartedAt([])).toBe(null)
})
