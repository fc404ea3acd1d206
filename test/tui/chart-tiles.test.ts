import { expect, test } from 'vitest'
import { scaleLabels } from '../../src/tui/chart-tiles.ts'

test('the middle of a round scale is told whole, not rounded to another value', () => {
  const { speed, time, requests } = scaleLabels
  expect([0, 7.5, 600, 4000, 12_500, 50_000].map(speed)).toEqual(['0', '7.5', '600', '4,000', '12.5K', '50K'])
  // 3 × 0.1 is not quite 0.3.
  expect([0, 3 * 0.1, 7.5, 600, 1250, 2000].map(time)).toEqual([
    '0',
    '0.3 ms',
    '7.5 ms',
    '600 ms',
    '1.25 s',
    '2 s',
  ])
  expect([0, 1.5, 30].map(requests)).toEqual(['0', '', '30'])
})
