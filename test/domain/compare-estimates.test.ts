import { describe, expect, test } from 'vitest'
import {
  medianEstimate,
  prefillEstimate,
  stepsEstimate,
  throughputEstimate,
} from '../../src/domain/compare-estimates.ts'
import { spread } from './comparable.ts'

const relativeError = (estimate: ReturnType<typeof medianEstimate>) =>
  estimate?.error === null || estimate === null ? null : Math.sqrt(estimate.error.variance)

describe('tok/s', () => {
  const base = { mean: 200, batchMeans: { ci95: 5, n: 15 } }

  test('has the error of the wider interval: 1.1 × half-width / Student’s t of its n', () => {
    const byRequests = throughputEstimate({ ...base, ci95: 20, requestLevel: { ci95: 20, n: 8 } })
    expect(byRequests?.error?.degrees).toBe(6)
    // t(7) = 2.3646
    expect(relativeError(byRequests)).toBeCloseTo((1.1 * 20) / 2.3646 / 200, 5)
    const byBatches = throughputEstimate({ ...base, ci95: 5, requestLevel: { ci95: 2, n: 8 } })
    expect(byBatches?.error?.degrees).toBe(13)
    // t(14) = 2.1448
    expect(relativeError(byBatches)).toBeCloseTo((1.1 * 5) / 2.1448 / 200, 5)
  })

  test('without an interval is a value alone; zero is nothing to compare by a ratio', () => {
    const none = { ...base, ci95: null, requestLevel: { ci95: null, n: 2 } }
    expect(throughputEstimate(none)).toEqual({ value: 200, error: null })
    expect(throughputEstimate({ ...none, mean: 0 })).toBeNull()
    expect(throughputEstimate(null)).toBeNull()
  })
})

describe('a median', () => {
  test('has the error of the spread above it: 1.2533 × (p90 - p50) / √n', () => {
    // 1.2533 × 20 / 100 / √25
    expect(relativeError(medianEstimate(spread({ n: 25, p50: 100, p90: 120, max: 900 })))).toBeCloseTo(
      0.050133,
      5,
    )
  })

  test('of few values has that of the largest, of fewer than four none', () => {
    // 1.2533 × 40 / 100 / √4
    const four = medianEstimate(spread({ n: 4, p50: 100, max: 140 }))
    expect(relativeError(four)).toBeCloseTo(0.250663, 5)
    expect(four?.error?.degrees).toBe(3)
    expect(medianEstimate(spread({ n: 3, p50: 100, max: 140 }))).toEqual({ value: 100, error: null })
    expect(medianEstimate(spread())).toBeNull()
  })
})

describe('steps/s', () => {
  test('counts the steps of the window, not the gaps of all streams', () => {
    // 10 s × 40 steps/s = 400 steps, though 8 streams had 3,200 gaps: 1.2533 × 5 / 25 / 20
    const steps = stepsEstimate(40, 10, spread({ n: 3200, p50: 25, p90: 30 }))
    expect(steps?.value).toBe(40)
    expect(relativeError(steps)).toBeCloseTo(0.012533, 5)
  })

  test('without gaps is a value alone', () => {
    expect(stepsEstimate(40, 10, null)).toEqual({ value: 40, error: null })
    expect(stepsEstimate(40, null, spread({ n: 99, p50: 25, p90: 30 }))).toEqual({ value: 40, error: null })
    expect(stepsEstimate(null, 10, null)).toBeNull()
  })
})

describe('prefill', () => {
  const sample = (ttftMs: number) => ({ promptTokens: 8000, ttftMs })

  test('has the error of its cold samples’ rates', () => {
    // ln 100 and ln 110 differ by 0.09531; deviation 0.067394, / √2
    const row = prefillEstimate(76_000, [sample(100), sample(110)])
    expect(relativeError(row)).toBeCloseTo(0.047655, 5)
    expect(row?.error?.degrees).toBe(1)
  })

  test('of a single sample is a value alone; a sample of no tokens is none', () => {
    const empty = { promptTokens: -1, ttftMs: 100 }
    expect(prefillEstimate(80_000, [sample(100), empty])).toEqual({ value: 80_000, error: null })
    expect(prefillEstimate(80_000, [sample(100)])).toEqual({ value: 80_000, error: null })
    expect(prefillEstimate(null, [])).toBeNull()
  })
})
