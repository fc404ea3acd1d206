import { expect, test } from 'vitest'
import { clockOffset } from '../../src/doctor/clock-offset.ts'

test('one answer tells the offset to half a second and half the round trip', () => {
  // The server was between 10.0 s and 11.0 s when we were between 5.0 s and 5.1 s: 4.9 to 6.0 s before us.
  const offset = clockOffset([{ date: 10_000, sentAt: 5000, receivedAt: 5100 }])
  expect(offset?.offsetMs).toBeCloseTo(5450)
  expect(offset?.uncertaintyMs).toBeCloseTo(550)
})

test('answers on both sides of a full second tell it exactly', () => {
  // 9.9 of ours is still second 10 there, 10.0 of ours is second 11: the full second was in between.
  const answers = [
    { date: 10_000, sentAt: 9900, receivedAt: 9900 },
    { date: 11_000, sentAt: 10_000, receivedAt: 10_000 },
  ]
  // First: 100 to 1100 ms before us; second: 1000 to 2000 ms.
  expect(clockOffset(answers)).toEqual({ offsetMs: 1050, uncertaintyMs: 50 })
})

test('a server behind us has a negative offset', () => {
  expect(clockOffset([{ date: 1000, sentAt: 5000, receivedAt: 5000 }])).toEqual({
    offsetMs: -3500,
    uncertaintyMs: 500,
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
