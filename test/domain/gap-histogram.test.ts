import { expect, test } from 'vitest'
import {
  gapDistribution,
  mergeGaps,
  stalledMs,
  togetherShare,
  typicalGapMs,
} from '../../src/domain/gap-histogram.ts'

test('histograms merge by adding the counts of equal gaps, ascending', () => {
  expect(
    mergeGaps([
      [
        [2000, 5],
        [9000, 1],
      ],
      [
        [1000, 2],
        [2000, 3],
      ],
    ]),
  ).toEqual([
    [1000, 2],
    [2000, 8],
    [9000, 1],
  ])
  expect(mergeGaps([])).toEqual([])
})

test('the percentiles of the gaps are those of the single gaps, in milliseconds', () => {
  // 10 gaps: 5 × 2 ms, 4 × 4 ms, 1 × 40 ms; mean (10 + 16 + 40) / 10
  expect(
    gapDistribution([
      [2000, 5],
      [4000, 4],
      [40_000, 1],
    ]),
  ).toEqual({ n: 10, mean: 6.6, p50: 2, p90: 4, p99: 40, max: 40 })
})

test('one gap is its own distribution, and none is unknown', () => {
  expect(gapDistribution([[1500, 1]])).toEqual({ n: 1, mean: 1.5, p50: 1.5, p90: 1.5, p99: 1.5, max: 1.5 })
  expect(gapDistribution([])).toEqual({ n: 0, mean: null, p50: null, p90: null, p99: null, max: null })
})

test('a step is the mean of the middle half of the gaps: stalls and gaps of nothing do not count', () => {
  // 8 gaps, the middle four: 9, 10, 10, 12
  const gaps = [
    [100, 1],
    [8000, 1],
    [9000, 1],
    [10_000, 2],
    [12_000, 1],
    [13_000, 1],
    [900_000, 1],
  ] as const
  expect(typicalGapMs(gaps)).toBeCloseTo(10.25, 10)
  expect(typicalGapMs([])).toBeNull()
})

test('a step is the median of gaps that differ by more than the step: several chunks came at once', () => {
  expect(
    typicalGapMs([
      [10, 4],
      [30_000, 3],
      [60_000, 3],
    ]),
  ).toBe(30)
})

test('where most chunks come with the one before there is no telling how long a step is', () => {
  const gaps = [
    [0, 5],
    [99, 1],
    [30_000, 4],
  ] as const
  expect(togetherShare(gaps)).toBe(0.6)
  expect(typicalGapMs(gaps)).toBeNull()
  expect(togetherShare([[100, 1]])).toBe(0)
  expect(typicalGapMs([[100, 1]])).toBe(0.1)
  expect(togetherShare([])).toBeNull()
})

test('time in gaps of more than three medians is stalled; three medians are not', () => {
  // median 10 ms: 30 ms is not more than 30, 31 and 100 are
  expect(
    stalledMs([
      [10_000, 100],
      [30_000, 1],
      [31_000, 2],
      [100_000, 1],
    ]),
  ).toBe(2 * 31 + 100)
  expect(stalledMs([])).toBe(0)
})
