import { describe, expect, test } from 'vitest'
import { liveCourse, liveLoad, liveSeries } from '../../src/domain/live.ts'
import { sample, tenSeconds, tick } from './build.ts'

test('the live rate is that of about the last second', () => {
  const ticks = [
    tick({ at: 1000, tokens: 9999, active: 1 }),
    ...[1200, 1400, 1600, 1800, 2000].map(at => tick({ at, tokens: 20, active: 2, waiting: 1 })),
  ]
  // 100 tokens in 1 s; 2 streams × 1000 ms / 100 tokens
  expect(liveLoad(ticks)).toEqual({ tokensPerSecond: 100, active: 2, waiting: 1, itlMs: 20 })
})

test('without ticks there is nothing to tell, without tokens no ITL', () => {
  expect(liveLoad([])).toBe(null)
  expect(liveLoad([tick({ at: 200, waiting: 4 })])).toEqual({
    tokensPerSecond: 0,
    active: 0,
    waiting: 4,
    itlMs: null,
  })
  expect(liveLoad([tick({ spanMs: 0 })])?.tokensPerSecond).toBe(0)
})

test('the course has one point for each bucket, unknown for one in which nothing was told', () => {
  const ticks = [
    tick({ at: 1000, tokens: 10, active: 1, ttftMs: [100, 300] }),
    tick({ at: 1200, tokens: 30, active: 1 }),
    tick({ at: 3100, tokens: 20, active: 2, ttftMs: [50] }),
  ]
  expect(liveCourse(ticks, 1000)).toEqual({
    // 40 tokens in 400 ms, nothing told, 20 in 200 ms
    tokensPerSecond: [100, null, 100],
    ttftMs: [200, null, 50],
    // 400 ms / 40 tokens, nothing, 2 × 200 ms / 20
    itlMs: [10, null, 20],
  })
  expect(liveCourse([], 1000)).toEqual({ tokensPerSecond: [], ttftMs: [], itlMs: [] })
})

describe('the course of the running cell', () => {
  const ticks = [
    tick({ at: 9000, tokens: 50, ttftMs: [900] }),
    tick({ at: 10_500, tokens: 40, ttftMs: [100] }),
    tick({ at: 11_500, tokens: 80 }),
  ]
  const samples = [
    sample({ at: 9500, running: 9 }),
    sample({ at: 10_200, running: 2, queued: 1, kvCacheUsage: 0.5 }),
    sample({ at: 10_700, running: 4 }),
  ]

  test('begins with the window, a point for each slice', () => {
    // 40 and 80 tokens in 200 ms
    expect(liveSeries({ ticks, samples, window: tenSeconds })).toEqual({
      secondsPerPoint: 1,
      tokensPerSecond: [200, 400],
      ttftMs: [100, null],
      running: [3, null],
      queued: [1, null],
      kvCacheUsage: [0.5, null],
    })
  })

  test('begins with the streams before the window is known', () => {
    // The first tick covers 8800..9000: slices from 8800 on
    expect(liveSeries({ ticks, samples, window: null })).toMatchObject({
      tokensPerSecond: [250, 200, 400],
      running: [9, 3, null],
    })
  })

  test('has points in each of which the load threads told something, however short the window', () => {
    const window = { from: 10_000, to: 11_000, sliceMs: 100 }
    const all = [10_200, 10_400, 10_600, 10_800, 11_000].map(at => tick({ at, tokens: 20 }))
    // 10,000..10,400 has the first tick, each of the later ones two: 20 tokens in 200 ms
    expect(liveSeries({ ticks: all, samples: [], window })).toMatchObject({
      secondsPerPoint: 0.4,
      tokensPerSecond: [100, 100, 100],
    })
  })

  test('is unknown before the first tick', () => {
    expect(liveSeries({ ticks: [], samples, window: tenSeconds })).toBe(null)
  })
})
