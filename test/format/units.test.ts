import { expect, test } from 'vitest'
import {
  clock,
  contextName,
  count,
  milliseconds,
  percent,
  perSecond,
  tokens,
} from '../../src/format/units.ts'

test.each([
  [0, '0.0', '0.0'],
  [7.25, '7.3', '7.3'],
  [35.24, '35.2', '35'],
  [358.36, '358.4', '358'],
  [999.96, '1,000', '1000'],
  [1465.2, '1,465', '1465'],
  [9999.6, '10.0K', '10K'],
  [28_114, '28.1K', '28K'],
  [999_960, '1.0M', '1.0M'],
  [null, '–', '–'],
])('a rate of %s reads %s, compact %s', (value, full, compact) => {
  expect(perSecond(value)).toBe(full)
  expect(perSecond(value, 'compact')).toBe(compact)
})

test.each([
  [0, '0.0 ms', '0.0 ms', '0ms'],
  [6.84, '6.8 ms', '6.8 ms', '7ms'],
  [94.4, '94 ms', '94 ms', '94ms'],
  [312, '312 ms', '312 ms', '0.3s'],
  [1026, '1,026 ms', '1.0 s', '1.0s'],
  [2840, '2.8 s', '2.8 s', '2.8s'],
  [12_780, '12.8 s', '12.8 s', '13s'],
  [135_200, '135 s', '135 s', '135s'],
  [null, '–', '–', '–'],
])('a time of %s ms reads %s, short %s, compact %s', (value, full, short, compact) => {
  expect(milliseconds(value)).toBe(full)
  expect(milliseconds(value, 'short')).toBe(short)
  expect(milliseconds(value, 'compact')).toBe(compact)
})

test('contexts are told in units of 1024 where that is exact, else in tokens: no two have the same name', () => {
  const contexts = [0, 1000, 1023, 1024, 1050, 8192, 257_024, 262_144, 1_010_000, 1_043_456, null]
  const names = ['0', '1000', '1023', '1K', '1050', '8K', '251K', '256K', '1010000', '1019K', '–']
  expect(contexts.map(contextName)).toEqual(names)
})

test('amounts of tokens are told in units of 1024, rounded down', () => {
  expect([0, 1023, 8192, 9000, null].map(tokens)).toEqual(['0', '1023', '8K', '8K', '–'])
})

test('counts, shares and durations', () => {
  expect([0, 999, 1_234_567, null].map(count)).toEqual(['0', '999', '1,234,567', '–'])
  expect([0, 0.874, 1, null].map(percent)).toEqual(['0%', '87%', '100%', '–'])
  expect([0, 83, 3723, null].map(clock)).toEqual(['0:00', '1:23', '1:02:03', '–'])
})
