import { expect, test } from 'vitest'
import { kneeOf, type RowPoint } from '../../src/domain/knee.ts'

const row = (figures: Readonly<Record<number, number | null>>): readonly RowPoint[] =>
  Object.entries(figures).map(([concurrency, tokensPerSecond]) => ({
    concurrency: Number(concurrency),
    tokensPerSecond,
  }))

test('the knee is the smallest concurrency after which doubling gains less than 10 %', () => {
  // gains: 90 %, 79 %, 12 %, 5 %
  expect(kneeOf(row({ 1: 100, 2: 190, 4: 340, 8: 380, 16: 400 }))).toBe(8)
  // 9.9 % from 4 to 8, then 20 %: the first one counts
  expect(kneeOf(row({ 1: 100, 2: 190, 4: 1000, 8: 1099, 16: 1319 }))).toBe(4)
})

test('a row that gains at every doubling, exactly 10 % included, has no knee', () => {
  expect(kneeOf(row({ 1: 1000, 2: 1900, 4: 2090 }))).toBe(null)
  expect(kneeOf(row({ 1: 1000, 2: 1100 }))).toBe(null)
})

test('columns further apart are compared by the gain of one doubling', () => {
  // 1 to 8 are three doublings: 1.3 = 1.0914^3, 1.34 = 1.1025^3
  expect(kneeOf(row({ 1: 100, 8: 130 }))).toBe(1)
  expect(kneeOf(row({ 1: 100, 8: 134 }))).toBe(null)
  // 4 to 6 are 0.585 doublings: 1.05 = 1.087^0.585, 1.06 = 1.105^0.585
  expect(kneeOf(row({ 4: 100, 6: 105 }))).toBe(4)
  expect(kneeOf(row({ 4: 100, 6: 106 }))).toBe(null)
})

test('cells that may not be compared are passed over', () => {
  // 2 to 8 without 4: 225 / 180 = 1.25 = 1.118^2; 8 to 16: 1 %
  expect(kneeOf(row({ 1: 100, 2: 180, 4: null, 8: 225, 16: 227 }))).toBe(8)
})

test('a fall of throughput is a knee', () => {
  expect(kneeOf(row({ 16: 100, 32: 90 }))).toBe(16)
})

test('one measured column tells no knee', () => {
  expect(kneeOf(row({ 1: 100, 2: null }))).toBe(null)
  expect(kneeOf([])).toBe(null)
})
