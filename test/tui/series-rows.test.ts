import { expect, test } from 'vitest'
import { seriesLines } from '../../src/tui/series-rows.ts'

test('measured zeros are a quiet baseline, whatever the colour of the course', () => {
  const values = [0, null, 0, 4, 4, 0]
  const [line = []] = seriesLines([{ label: 'queued', value: '0', values, style: 'warn' }], 28, 1)
  // Eight columns: two are left free, then the six values, the largest a little below the top.
  const found = [
    { text: '  ', style: 'warn' },
    { text: '▁', style: 'dim' },
    { text: ' ', style: 'warn' },
    { text: '▁', style: 'dim' },
    { text: '▇▇', style: 'warn' },
    { text: '▁', style: 'dim' },
  ]
  expect(line.slice(2)).toEqual(found)
})
