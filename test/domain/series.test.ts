import { expect, test } from 'vitest'
import { cellSeries } from '../../src/domain/series.ts'
import { pass, sample, trace } from './build.ts'

const window = { from: 10_000, to: 12_500, sliceMs: 1000 }

test('each slice has its rate; the last one of a window that ended early is shorter', () => {
  const series = cellSeries([pass({ window, sliceTokens: [100, 50, 50] })])
  expect(series.secondsPerPoint).toBe(1)
  // 50 tokens in the last half second
  expect(series.tokensPerSecond).toEqual([100, 50, 100])
})

test('TTFT stands in the slice of the first token', () => {
  const traces = [
    trace({ writtenAt: 9900, firstTokenAt: 10_000 }),
    trace({ writtenAt: 9900, firstTokenAt: 10_200 }),
    trace({ writtenAt: 11_900, firstTokenAt: 12_000 }),
    trace({ writtenAt: 12_450, firstTokenAt: 12_500 }),
    trace({ writtenAt: 11_000, firstTokenAt: null }),
  ]
  // 100 and 300 in the first slice, none in the second, 100 in the third; 12500 is no longer in the window
  expect(cellSeries([pass({ window, sliceTokens: [1, 1, 1], traces })]).ttftMs).toEqual([200, null, 100])
})

test('what was not observed in a slice is unknown, and a zero is a zero', () => {
  const samples = [
    sample({ at: 9000, running: 99 }),
    sample({ at: 10_100, running: 2, queued: 0, kvCacheUsage: 0.5 }),
    sample({ at: 10_900, running: 4, queued: 0, kvCacheUsage: null }),
    sample({ at: 12_000, running: null, queued: 7 }),
  ]
  const series = cellSeries([pass({ window, sliceTokens: [0, 0, 0], samples })])
  expect(series.running).toEqual([3, null, null])
  // taken at the very start of the third slice
  expect(series.queued).toEqual([0, null, 7])
  expect(series.kvCacheUsage).toEqual([0.5, null, null])
  expect(series.tokensPerSecond).toEqual([0, 0, 0])
})

test('passes follow one another', () => {
  const short = { from: 0, to: 1000, sliceMs: 500 }
  const series = cellSeries([
    pass({ window: short, sliceTokens: [10, 20] }),
    pass({ window: { from: 9000, to: 10_000, sliceMs: 500 }, sliceTokens: [30, 40] }),
  ])
  expect(series.secondsPerPoint).toBe(0.5)
  expect(series.tokensPerSecond).toEqual([20, 40, 60, 80])
  expect(series.running).toHaveLength(4)
})
