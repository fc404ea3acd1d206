import { describe, expect, test } from 'vitest'
import { differenceOf, type Estimate, meanChange } from '../../src/domain/compare-figure.ts'

const estimate = (value: number, standardError: number, degrees = 9): Estimate => ({
  value,
  error: { variance: (standardError / value) ** 2, degrees },
})

describe('the difference of two figures', () => {
  test('has Welch’s interval on the ratio, and the p-value that belongs to it', () => {
    // 95 ± 1 against 100 ± 1: relative errors 0.01 and 0.010526, together 0.014519, ln(0.95) = -0.051293. Degrees:
    // (1e-4 + 1.108e-4)² / (1e-8 / 9 + 1.2277e-8 / 9) = 17.95, so 17; t(17) = 2.1098, half-width 0.030632.
    const { change, interval, p, verdict } = differenceOf(estimate(100, 1), estimate(95, 1), 'high', 0)
    expect(change).toBeCloseTo(-0.05, 12)
    expect(interval?.low).toBeCloseTo(Math.exp(-0.051293 - 0.030632) - 1, 4)
    expect(interval?.high).toBeCloseTo(Math.exp(-0.051293 + 0.030632) - 1, 4)
    // Twice the density of t(17) above 0.051293 / 0.014519 = 3.5328, integrated numerically.
    expect(p).toBeCloseTo(0.00256, 4)
    expect(verdict).toBe('worse')
  })

  test('is widened by the noise between runs of both', () => {
    // Nothing seen inside the runs: √2 × 1 % remains, normal.
    const { interval } = differenceOf(estimate(100, 0), estimate(100, 0), 'high', 0.01)
    expect(interval?.high).toBeCloseTo(Math.expm1(0.01 * Math.SQRT2), 6)
    expect(interval?.low).toBeCloseTo(Math.expm1(-0.01 * Math.SQRT2), 6)
  })

  test('is better or worse by what the figure is for', () => {
    expect(differenceOf(estimate(100, 1), estimate(110, 1), 'high', 0.01).verdict).toBe('better')
    expect(differenceOf(estimate(100, 1), estimate(110, 1), 'low', 0.01).verdict).toBe('worse')
    expect(differenceOf(estimate(110, 1), estimate(100, 1), 'low', 0.01).verdict).toBe('better')
  })

  test('is never judged without an error on both sides', () => {
    const bare: Estimate = { value: 50, error: null }
    for (const [a, b] of [
      [estimate(100, 1), bare],
      [bare, estimate(100, 1)],
    ] as const)
      expect(differenceOf(a, b, 'high', 0.01)).toMatchObject({ interval: null, p: null, verdict: 'unknown' })
  })

  test('on errors beyond all bounds has no interval, and is none', () => {
    expect(differenceOf(estimate(100, 1), estimate(95, 1e6), 'high', 0.01)).toMatchObject({
      interval: null,
      verdict: 'same',
    })
  })

  test('of equal values is none, even where nothing scatters', () => {
    expect(differenceOf(estimate(7, 0), estimate(7, 0), 'high', 0)).toMatchObject({ p: 1, verdict: 'same' })
    expect(differenceOf(estimate(7, 0), estimate(8, 0), 'high', 0)).toMatchObject({ p: 0, verdict: 'better' })
  })
})

describe('the mean of differences', () => {
  const changes = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([a, b]) => differenceOf(estimate(a, a / 100), estimate(b, b / 100), 'high', 0.01))

  test('is the geometric mean of the ratios', () => {
    // √(2 × 0.5) = 1, ∛(1.1 × 1.1 × 1.21) = 1.21^(2/3)
    expect(meanChange(changes([100, 200], [100, 50]), 'high', 0.01)?.change).toBeCloseTo(0, 12)
    expect(meanChange(changes([1, 1.1], [10, 11], [5, 6.05]), 'high', 0.01)?.change).toBeCloseTo(
      1.21 ** (2 / 3) - 1,
      12,
    )
  })

  test('averages the own errors out, but not the noise between runs', () => {
    const same = changes(...Array.from({ length: 100 }, () => [100, 100] as const))
    // Own: √(2e-4 / 100) = 0.001414; between: √2 × 0.01 / 1.96 = 0.007216; together 0.007353, normal.
    expect(meanChange(same, 'high', 0.01)?.interval?.high).toBeCloseTo(Math.expm1(1.96 * 0.007353), 4)
  })

  test('is unknown as soon as one of them is, and nothing of nothing', () => {
    const bare = differenceOf({ value: 1, error: null }, { value: 2, error: null }, 'high', 0.01)
    expect(meanChange([...changes([1, 2]), bare], 'high', 0.01)).toMatchObject({
      verdict: 'unknown',
      p: null,
    })
    expect(meanChange([], 'high', 0.01)).toBeNull()
  })
})
