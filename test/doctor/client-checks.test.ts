import { describe, expect, test } from 'vitest'
import {
  checkClock,
  checkLatency,
  checkOpenFiles,
  checkSelfTest,
  checkTerminal,
} from '../../src/doctor/client-checks.ts'
import { openFileLimit } from '../../src/doctor/open-files.ts'

describe('load threads', () => {
  const test100 = (loopDelayP99Ms: number, loopUtilisation: number) => ({
    streams: 100,
    seconds: 3,
    chunksPerSecondWanted: 10_000,
    chunksPerSecond: 9990,
    client: { loopDelayP99Ms, loopUtilisation, workers: 2 },
  })

  test.each([
    ['on time', 4, 0.2, 'ok'],
    ['a third of the limit late', 9, 0.2, 'warn'],
    ['later than 25 ms, which is more than a step of 10 ms', 26, 0.2, 'fail'],
    ['busy all the time', 4, 0.96, 'fail'],
  ])('that are %s are judged as in a cell', (_, delay, utilisation, status) => {
    expect(checkSelfTest(test100(delay, utilisation)).status).toBe(status)
  })

  test('that fail are told with what they did and what to do', () => {
    expect(checkSelfTest(test100(26, 0.5))).toEqual({
      check: 'load-threads',
      status: 'fail',
      saw: '100 streams: 9,990 of 10,000 chunks/s; stamps late by p99 26 ms, 2 threads 50% busy',
      fix: expect.stringContaining('--concurrency'),
    })
  })

  test('that were sent less than was wanted have not shown what they can', () => {
    expect(checkSelfTest({ ...test100(4, 0.2), chunksPerSecond: 9400 }).status).toBe('warn')
  })

  test('that were sent nothing are not judged', () => {
    expect(checkSelfTest(null).status).toBe('unknown')
  })
})

test('too few open files fail with the command that allows more', () => {
  expect(checkOpenFiles(1024, 128).status).toBe('ok')
  expect(checkOpenFiles(1024, 1000)).toMatchObject({ status: 'fail', fix: 'ulimit -n 1100' })
  expect(checkOpenFiles(null, 1000).status).toBe('unknown')
})

test('the limit of open files is the soft one; a system that does not tell has none that is known', () => {
  expect(openFileLimit('test/fixtures/proc/limits')).toBe(1024)
  expect(openFileLimit('/nowhere/limits')).toBeNull()
})

test('a long way to the server is a warning', () => {
  const probe = (ms: number) => ({ connectMs: 1, roundTripMs: [ms, ms, ms + 30], dated: [] })
  expect(checkLatency(probe(19)).status).toBe('ok')
  expect(checkLatency(probe(21))).toMatchObject({ status: 'warn', saw: expect.stringContaining('p50 21 ms') })
  expect(checkLatency({ connectMs: null, roundTripMs: [], dated: [] }).status).toBe('unknown')
})

test('a clock that is more than two seconds off for sure is a warning', () => {
  const probe = (date: number) => ({
    connectMs: 1,
    roundTripMs: [],
    dated: [{ date, sentAt: 50_000, receivedAt: 50_000 }],
  })
  // 1 s uncertain: 2.0 to 4.0 s before ours, then 2.1 to 4.1 s.
  expect(checkClock(probe(52_000)).status).toBe('ok')
  expect(checkClock(probe(52_100))).toMatchObject({ status: 'warn', saw: expect.stringContaining('+3.1 s') })
  expect(checkClock({ connectMs: 1, roundTripMs: [], dated: [] }).status).toBe('unknown')
})

test('a terminal too small for the grid is a warning, none is fine', () => {
  const terminal = { columns: 80, rows: 24, colours: 256, unicode: true } as const
  expect(checkTerminal(terminal)).toMatchObject({ status: 'ok', saw: '80×24, 256 colours, UTF-8' })
  expect(checkTerminal({ ...terminal, rows: 10 }).status).toBe('warn')
  expect(checkTerminal(null).status).toBe('ok')
})
