import { expect, test } from 'vitest'
import { clockOffset } from '../../src/doctor/clock-offset.ts'

test('one answer tells the offset to a second and half the round trip: some servers renew the header once a second', () => {
  // The server was between 10.0 s and 12.0 s when we were between 5.0 s and 5.1 s: 4.9 to 7.0 s before us.
  const offset = clockOffset([{ date: 10_000, sentAt: 5000, receivedAt: 5100 }])
  expect(offset?.offsetMs).toBeCloseTo(5950)
  expect(offset?.uncertaintyMs).toBeCloseTo(1050)
})

test('answers at several times tell it better', () => {
  const answers = [
    { date: 10_000, sentAt: 9900, receivedAt: 9900 },
    { date: 11_000, sentAt: 10_000, receivedAt: 10_000 },
  ]
  // First: 100 to 2100 ms before us; second: 1000 to 3000 ms.
  expect(clockOffset(answers)).toEqual({ offsetMs: 1550, uncertaintyMs: 550 })
})

test('a server behind us has a negative offset', () => {
  expect(clockOffset([{ date: 1000, sentAt: 5000, receivedAt: 5000 }])).toEqual({
    offsetMs: -3000,
    uncertaintyMs: 1000,
  })
})

test('without answers, and with answers that contradict each other, nothing is told', () => {
  expect(clockOffset([])).toBeNull()
  expect(
    clockOffset([
      { date: 10_000, sentAt: 5000, receivedAt: 5000 },
      { date: 90_000, sentAt: 5000, receivedAt: 5000 },
    ]),
  ).toBeNull()
})
