import { describe, expect, test } from 'vitest'
import { relativeInterval, studentT, throughputIntervals } from '../../src/domain/interval.ts'
import { sum } from '../../src/domain/statistics.ts'
import { pass, share, trace } from './build.ts'
import { decodePass } from './simulated-decode.ts'

test.each([
  [2, 4.303],
  [3, 3.182],
  [7, 2.365],
  [14, 2.145],
  [30, 2.042],
  [1000, 1.962],
])('Student’s t for %i degrees of freedom is the table’s %f', (degrees, expected) => {
  expect(Math.abs(studentT(degrees) / expected - 1)).toBeLessThan(0.0012)
})

const segment = (seconds: number, rate: number) =>
  trace({
    window: share({
      firstAt: 0,
      lastAt: seconds * 1000,
      chunks: 99,
      tokens: seconds * rate + 1,
      firstChunkTokens: 1,
    }),
  })

describe('the interval of requests', () => {
  test('is t × the standard error of their rates, for all streams', () => {
    const window = { from: 0, to: 10_000, sliceMs: 1000 }
    const traces = [segment(10, 90), segment(10, 100), segment(10, 110)]
    const { requestLevel } = throughputIntervals([pass({ traces, window })])
    // mean 100; 3/2 × (100 + 0 + 100) / 9 = 33.3; √ = 5.774; × 4.303 (2 degrees) × 30 s / 10 s of streams
    expect(requestLevel.n).toBe(3)
    expect(requestLevel.ci95).toBeCloseTo(4.302653 * Math.sqrt(((3 / 2) * 200) / 9) * 3, 6)
  })

  test('leaves out parts below 2 s, and is unknown with fewer than 3', () => {
    const { ci95, requestLevel } = throughputIntervals([
      pass({ traces: [segment(10, 90), segment(10, 100), segment(1.9, 500)] }),
    ])
    expect(requestLevel).toEqual({ ci95: null, n: 2 })
    expect(ci95).toBeNull()
  })
})

test('the interval of batches is t × the standard error of the batches’ rates', () => {
  const sliceTokens = [90, 100, 110]
  const window = { from: 0, to: 3000, sliceMs: 1000 }
  const { batchMeans } = throughputIntervals([pass({ window, sliceTokens })])
  // s = 10, t(2) = 4.303
  expect(batchMeans.n).toBe(3)
  expect(batchMeans.ci95).toBeCloseTo((4.302653 * 10) / Math.sqrt(3), 6)
})

test('thirty slices are joined two by two, a shorter last slice counts with its own length', () => {
  const whole = pass({ window: { from: 0, to: 30_000, sliceMs: 1000 }, sliceTokens: Array(30).fill(100) })
  expect(throughputIntervals([whole]).batchMeans).toEqual({ ci95: 0, n: 15 })
  const short = pass({ window: { from: 0, to: 3500, sliceMs: 1000 }, sliceTokens: [100, 100, 100, 50] })
  expect(throughputIntervals([short]).batchMeans).toEqual({ ci95: 0, n: 4 })
})

describe('against decode of known truth with acceptance noise', () => {
  const model = {
    windowMs: 30_000,
    stepMs: 20,
    acceptance: { mean: 3.5, betweenRequests: 0.5 },
    outputTokens: 4096,
  }

  test.each([8, 32])('the interval holds the truth in at least nine of ten runs at C = %i', streams => {
    const runs = 200
    const passes = Array.from({ length: runs }, (_, run) =>
      decodePass({ ...model, streams }, 1000 * streams + run),
    )
    const rates = passes.map(({ counts }) => sum(counts.sliceTokens) / 30)
    const truth = sum(rates) / runs
    const held = passes.filter((one, run) => {
      const { ci95 } = throughputIntervals([one])
      return ci95 !== null && Math.abs((rates[run] ?? Number.NaN) - truth) <= ci95
    }).length
    expect(held / runs).toBeGreaterThanOrEqual(0.9)
    // Not by being useless: an interval of 15 % tells little.
    const widths = passes.map(one => (throughputIntervals([one]).ci95 ?? Number.NaN) / truth)
    expect(sum(widths) / runs).toBeLessThan(0.15)
  })
})

test('an interval is known as a share of its tok/s, where both are known', () => {
  expect(relativeInterval({ mean: 200, ci95: 10 })).toBe(0.05)
  for (const unknown of [null, { mean: 200, ci95: null }, { mean: 0, ci95: 0 }])
    expect(relativeInterval(unknown)).toBeNull()
})
