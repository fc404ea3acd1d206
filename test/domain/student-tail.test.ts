import { expect, test } from 'vitest'
import { studentT } from '../../src/domain/interval.ts'
import { twoSidedTail } from '../../src/domain/student-tail.ts'

test.each([
  [12.706, 1, 0.05],
  [63.657, 1, 0.01],
  [4.303, 2, 0.05],
  [31.599, 2, 0.001],
  [3.182, 3, 0.05],
  [2.776, 4, 0.05],
  [8.61, 4, 0.001],
  [2.228, 10, 0.05],
  [1.812, 10, 0.1],
  [4.073, 15, 0.001],
  [2.042, 30, 0.05],
])('|t| above %f has, with %i degrees of freedom, the table’s probability %f', (t, degrees, expected) => {
  expect(twoSidedTail(t, degrees) / expected).toBeCloseTo(1, 2)
  expect(twoSidedTail(-t, degrees)).toBe(twoSidedTail(t, degrees))
})

test('without end of degrees it is the normal distribution', () => {
  expect(twoSidedTail(1.96, Number.POSITIVE_INFINITY)).toBeCloseTo(0.05, 3)
  expect(twoSidedTail(3.2905, Number.POSITIVE_INFINITY)).toBeCloseTo(0.001, 4)
})

test('no deviation is certain, an endless one impossible', () => {
  expect(twoSidedTail(0, 5)).toBe(1)
  expect(twoSidedTail(Number.POSITIVE_INFINITY, 5)).toBe(0)
  expect(twoSidedTail(Number.POSITIVE_INFINITY, 4)).toBe(0)
})

test('degrees that are no whole number are rounded down', () => {
  expect(twoSidedTail(2, 7.9)).toBe(twoSidedTail(2, 7))
})

test.each([1, 2, 3, 8, 29, 500])('agrees with the quantile that intervals use at %i degrees', degrees => {
  expect(twoSidedTail(studentT(degrees), degrees)).toBeCloseTo(0.05, 3)
})
