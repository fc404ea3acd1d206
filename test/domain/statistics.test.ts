import { expect, test } from 'vitest'
import {
  distribution,
  emptyDistribution,
  known,
  max,
  mean,
  median,
  quantile,
} from '../../src/domain/statistics.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)

test('a quantile is linear between its neighbours', () => {
  // position (4 - 1) × 0.5 = 1.5: half way from 20 to 30
  expect(quantile([10, 20, 30, 40], 0.5)).toBe(25)
  // position 3 × 0.1 = 0.3: 10 + 0.3 × 10
  expect(quantile([10, 20, 30, 40], 0.1)).toBeCloseTo(13, 12)
  expect(quantile([10, 20, 30, 40], 0)).toBe(10)
  expect(quantile([10, 20, 30, 40], 1)).toBe(40)
  expect(quantile([7], 0.9)).toBe(7)
})

test('nothing has no quantile, median, mean or maximum', () => {
  expect([quantile([], 0.5), median([]), mean([]), max([])]).toEqual([null, null, null, null])
  expect(emptyDistribution).toEqual({ n: 0, mean: null, p50: null, p90: null, p99: null, max: null })
})

test('median and maximum do not need their values in order, and leave them as they are', () => {
  const values = [3, -1, 2]
  expect([median(values), max(values)]).toEqual([2, 3])
  expect(values).toEqual([3, -1, 2])
})

test('a p90 needs 20 values and a p99 needs 100', () => {
  expect([distribution(upTo(19)).p90, distribution(upTo(99)).p99]).toEqual([null, null])
  // position 19 × 0.9 = 17.1 of 1..20
  expect(distribution(upTo(20)).p90).toBeCloseTo(18.1, 9)
  // position 99 × 0.99 = 98.01 of 1..100
  expect(distribution(upTo(100)).p99).toBeCloseTo(99.01, 9)
})

test('a distribution tells count, mean, median and maximum of any values', () => {
  expect(distribution([4, 1, 1])).toEqual({ n: 3, mean: 2, p50: 1, p90: null, p99: null, max: 4 })
})

test('a measured zero is known, an unknown is not', () => {
  expect(known([0, null, 2])).toEqual([0, 2])
  expect(max([0])).toBe(0)
})
