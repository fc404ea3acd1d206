import { expect, test } from 'vitest'
import { countRequests } from '../../src/domain/request-counts.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import { failed, pass, refused, trace } from './build.ts'

const count = (...traces: readonly RequestTrace[]) => countRequests([pass({ traces })])
const none = { started: 0, completed: 0, cutOff: 0, failed: 0, stalled: 0 }
const cutOff = { kind: 'cut-off' } as const

test('requests that ended before the window, or began after it, are not of it', () => {
  expect(
    count(trace({ writtenAt: 1000, endedAt: 9999 }), trace({ writtenAt: 20_001, endedAt: 20_500 })),
  ).toEqual(none)
})

test('what ended inside the window is completed, what was under way at its close is cut off', () => {
  expect(
    count(
      trace({ writtenAt: 1000, endedAt: 10_000 }),
      trace({ writtenAt: 11_000, endedAt: 20_000 }),
      trace({ writtenAt: 12_000, endedAt: 20_001 }),
      trace({ writtenAt: 13_000, endedAt: 20_300, outcome: cutOff }),
    ),
  ).toEqual({ ...none, started: 4, completed: 2, cutOff: 2 })
})

test('a failure counts inside the window; one after its close is a request that was cut off', () => {
  expect(
    count(
      failed(refused, { writtenAt: null, endedAt: 12_000 }),
      failed(refused, { writtenAt: 19_000, endedAt: 20_010 }),
      failed(refused, { writtenAt: null, endedAt: 9000 }),
    ),
  ).toEqual({ ...none, started: 2, cutOff: 1, failed: 1 })
})

test('a stalled request is a failed one that fell silent in the middle of its answer', () => {
  const silent = (waitedFor: 'first-token' | 'next-token') =>
    failed({ kind: 'timeout', waitedFor, afterMs: 60_000 }, { writtenAt: 1000, endedAt: 15_000 })
  expect(count(silent('next-token'), silent('first-token'))).toEqual({
    ...none,
    started: 2,
    failed: 2,
    stalled: 1,
  })
})

test('requests that the operator’s stop ended with the window are cut off, none is lost', () => {
  // The window is cut to the moment when the streams were closed, which is after they ended.
  const {
    started,
    completed,
    cutOff: cut,
    failed: broken,
  } = count(
    trace({ writtenAt: 1000, endedAt: 12_000 }),
    trace({ writtenAt: 12_000, endedAt: 19_990, outcome: cutOff }),
  )
  expect([started, completed, cut, broken]).toEqual([2, 1, 1, 0])
})

test('passes are counted each by its own window', () => {
  const later = { from: 100_000, to: 110_000, sliceMs: 1000 }
  const early = trace({ writtenAt: 11_000, endedAt: 12_000 })
  const late = trace({ writtenAt: 101_000, endedAt: 102_000 })
  expect(
    countRequests([pass({ traces: [early, late] }), pass({ window: later, traces: [early, late] })]),
  ).toEqual({ ...none, started: 2, completed: 2 })
})
