import { describe, expect, test } from 'vitest'
import { pairCells, pairPrefill } from '../../src/domain/compare-cells.ts'
import { tallyPairs } from '../../src/domain/compare-tally.ts'
import { cell, difference, pair, spread, throughput } from './comparable.ts'

const runNoise = 0.01
const only = (a: Parameters<typeof cell>[0], b: Parameters<typeof cell>[0]) => {
  const [one] = pairCells([cell(a)], [cell(b)], runNoise)
  return one?.differences ?? {}
}

describe('known differences', () => {
  test('5 % less on intervals of 1 % are found', () => {
    const { 'tok/s': tokens } = only({}, { totalTokensPerSecond: throughput(95, 0.95) })
    expect(tokens?.verdict).toBe('worse')
    expect(tokens?.change).toBeCloseTo(-0.05, 12)
  })

  test('1 % less on intervals of 5 % is noise', () => {
    const wide = { totalTokensPerSecond: throughput(100, 5) }
    const { 'tok/s': tokens } = only(wide, { totalTokensPerSecond: throughput(99, 4.95) })
    expect(tokens?.verdict).toBe('same')
  })

  test('2 % fewer steps/s are found where tok/s is too noisy to tell', () => {
    const noisy = { totalTokensPerSecond: throughput(100, 9) }
    const { 'steps/s': steps, 'tok/s': tokens } = only(noisy, {
      totalTokensPerSecond: throughput(98, 9),
      stepsPerSecond: 49,
    })
    expect([steps?.verdict, tokens?.verdict]).toEqual(['worse', 'same'])
  })

  test('a TTFT twice as long is worse', () => {
    const ttft = (p50: number) => ({
      ttftMs: { source: 'steady' as const, steady: spread({ n: 9, p50, max: 1.3 * p50 }), launch: spread() },
    })
    expect(only(ttft(100), ttft(200)).ttft?.verdict).toBe('worse')
    expect(only(ttft(100), ttft(103)).ttft?.verdict).toBe('same')
  })
})

describe('what was not measured alike is not judged', () => {
  const kind = (name: string) => ({ reasons: [{ kind: name }] })

  test('estimated tokens against counted ones', () => {
    expect(only(kind('tokens-estimated'), {})['tok/s']?.verdict).toBe('unknown')
    expect(only({}, kind('tokens-estimated'))['tok/s']?.verdict).toBe('unknown')
    expect(only(kind('tokens-estimated'), kind('tokens-estimated'))['tok/s']?.verdict).toBe('same')
  })

  test('the step time of a window that did not keep its pace', () => {
    expect(only(kind('unsteady'), {})['steps/s']?.verdict).toBe('unknown')
    expect(only({}, kind('unsteady'))['steps/s']?.verdict).toBe('unknown')
    expect(only({}, kind('unsteady'))['tok/s']?.verdict).toBe('same')
  })

  test('the TTFT of a launch, and steady against launch never at all', () => {
    const launch = spread({ n: 30, p50: 100, p90: 110, max: 120 })
    const steady = spread({ n: 30, p50: 300, p90: 310, max: 320 })
    const launched = { ttftMs: { source: 'launch' as const, steady: spread(), launch } }
    const settled = { ttftMs: { source: 'steady' as const, steady, launch } }
    expect(only(launched, launched).ttft).toMatchObject({ a: 100, b: 100, verdict: 'unknown' })
    expect(only(settled, launched).ttft).toMatchObject({ a: 100, b: 100, verdict: 'unknown' })
    expect(only(settled, settled).ttft).toMatchObject({ a: 300, b: 300, verdict: 'same' })
  })
})

describe('pairs', () => {
  test('are made by context and concurrency; those of one run alone are there, too', () => {
    const [first, second, third] = pairCells(
      [cell({ concurrency: 1 }), cell({ concurrency: 2 })],
      [cell({ concurrency: 2 }), cell({ concurrency: 4 })],
      runNoise,
    )
    expect([first?.concurrency, first?.a.status, first?.b.status]).toEqual([1, 'valid', 'missing'])
    expect([second?.concurrency, second?.isComparable]).toEqual([2, true])
    expect([third?.concurrency, third?.a.status, third?.b.status]).toEqual([4, 'missing', 'valid'])
  })

  test.each(['invalid', 'failed', 'over-capacity', 'skipped', 'not-run'] as const)(
    'with a side that is %s have no differences',
    status => {
      const reasons = [{ kind: 'foreign-load' }]
      const [one] = pairCells([cell()], [cell({ status, reasons })], runNoise)
      expect(one).toMatchObject({ isComparable: false, differences: {}, b: { status, reasons } })
    },
  )

  test('with queued requests may be compared', () => {
    const [one] = pairCells([cell()], [cell({ status: 'requests-queued' })], runNoise)
    expect(one?.isComparable).toBe(true)
  })

  test('of prefill rows have no concurrency', () => {
    const row = (ms: number) => ({
      contextTokens: 8192,
      status: 'valid' as const,
      reasons: [],
      tokensPerSecond: 8e6 / ms,
      samples: [99.9, 100, 100.1].map(share => ({ promptTokens: 8000, ttftMs: (ms * share) / 100 })),
    })
    const [one] = pairPrefill([row(100)], [row(110)], runNoise)
    expect(one?.concurrency).toBeNull()
    expect(one?.differences.prefill?.verdict).toBe('worse')
    expect(one?.differences.prefill?.change).toBeCloseTo(1 / 1.1 - 1, 12)
  })
})

test('a tally counts the verdicts, tells how many noise would make, and takes the mean of valid pairs alone', () => {
  const queued = { status: 'requests-queued' as const, reasons: [] }
  const [tally] = tallyPairs(
    [
      pair({ differences: { 'tok/s': difference({ change: -0.1, p: 0.001, verdict: 'worse' }) } }),
      pair({ differences: { 'tok/s': difference({ change: 1 / 0.9 - 1, p: 0.001, verdict: 'better' }) } }),
      pair({ differences: { 'tok/s': difference({ change: 5, p: 0.5 }) }, b: queued }),
      pair({ differences: { 'tok/s': difference({ p: null, verdict: 'unknown' }) }, a: queued }),
      pair(),
    ],
    runNoise,
  )
  expect(tally).toMatchObject({ figure: 'tok/s', worse: 1, better: 1, same: 1, unknown: 1, n: 2 })
  expect(tally?.expectedFalseAlarms).toBeCloseTo(0.15, 12)
  expect(tally?.mean?.change).toBeCloseTo(0, 12)
})
