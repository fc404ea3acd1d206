import { expect, test } from 'vitest'
import { gauge } from '../../src/format/gauge.ts'
import { heatLevel } from '../../src/format/heat.ts'
import { chart, resample, sparkline } from '../../src/format/sparkline.ts'

test('a sparkline goes from the lowest to the highest block and leaves gaps for what is unknown', () => {
  expect(sparkline([0, null, 7], 3, { from: 0, to: 7 })).toBe('▁ █')
})

test('a sparkline shows the latest values at its right end', () => {
  expect(sparkline([7, 0, 7], 2, { from: 0, to: 7 })).toBe('▁█')
  expect(sparkline([7], 3, { from: 0, to: 7 })).toBe('  █')
  expect(sparkline([], 3)).toBe('   ')
  expect(sparkline([1], 0)).toBe('')
})

test('steady noise is not drawn as a swing', () => {
  expect(new Set(sparkline([1000, 1003, 1005, 1002], 4)).size).toBe(1)
})

test('a chart of two lines continues its columns upwards', () => {
  expect(chart([0, 15], 2, 2, { from: 0, to: 15 })).toEqual([' █', '▁█'])
})

test('many points become the means of neighbours', () => {
  expect(resample([1, 3, null, 5, null, null], 3)).toEqual([2, 5, null])
  expect(resample([1, 2], 3)).toEqual([1, 2])
})

test.each([
  [0, '', '╌╌╌╌'],
  [0.5, '━━', '╌╌'],
  [1.2, '━━━━', ''],
  [null, '', '╌╌╌╌'],
])('a gauge of %s', (share, full, rest) => {
  expect(gauge(share, 4)).toEqual({ full, rest })
})

test('heat follows the logarithm of a value', () => {
  const range = { lowest: 10, highest: 1000 }
  expect([10, 99, 101, 1000, 5000].map(value => heatLevel(value, range, 4))).toEqual([0, 1, 2, 3, 3])
  expect([null, 0].map(value => heatLevel(value, range, 4))).toEqual([null, null])
  expect(heatLevel(5, { lowest: 5, highest: 5 }, 4)).toBe(3)
})
