import { expect, test } from 'vitest'
import { prefilling } from '../../src/domain/prefilling.ts'
import { sample, tick } from './build.ts'

const ticks = [tick({ at: 1000, active: 1, waiting: 1 }), tick({ at: 1200, active: 6, waiting: 4 })]
const told = { at: 1300, running: 5, queued: 2 }

test('what is in flight here and neither runs nor waits there is prefilling', () => {
  // 6 + 4 − 5 − 2
  expect(prefilling(sample(told), ticks)).toBe(3)
  // The tick before the sample counts: 1 + 1 − 1 − 0
  expect(prefilling(sample({ at: 1100, running: 1, queued: 0 }), ticks)).toBe(1)
})

test('requests of others never make it negative', () => {
  expect(prefilling(sample({ ...told, running: 50 }), ticks)).toBe(0)
})

test.each([
  ['the server does not tell what runs', { running: null }],
  ['it does not tell what waits', { queued: null }],
  ['its gauges may be old', { fresh: false }],
  ['the last tick is old', { at: 2800 }],
  ['there was no tick yet', { at: 900 }],
])('it is unknown when %s', (_, change) => {
  expect(prefilling(sample({ ...told, ...change }), ticks)).toBe(null)
})
