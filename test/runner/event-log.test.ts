import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { EventLog } from '../../src/runner/event-log.ts'
import { VirtualClock } from './fakes.ts'

const never = new AbortController().signal
const opened = () => {
  const clock = new VirtualClock()
  return { clock, log: new EventLog(clock) }
}
/** Whether a promise is settled when nothing more can be done without time. */
const isSettled = async (promise: Promise<void>) => {
  let settled = false
  void promise.then(() => {
    settled = true
  })
  await new Promise(resolve => setImmediate(resolve))
  return settled
}

test('a fact is stamped with the time, folded into the state, and told to every reader with that state', async () => {
  const { clock, log } = opened()
  await clock.until(clock.sleep(234))
  const told: unknown[] = []
  log.subscribe((event, state) => told.push(event, state))
  log.append({ kind: 'asked', ask: 'stop' })
  const event = { at: 1234, kind: 'asked', ask: 'stop' } as const
  expect(log.state).toEqual(foldRun([event]))
  expect(told).toEqual([event, log.state])
})

test('asking is an event too', () => {
  const { log } = opened()
  log.ask('stop')
  expect(log.state.stopAsked).toBe(true)
  expect(log.state.history).toMatchObject([{ kind: 'asked', ask: 'stop' }])
})

test('a reader that has left is told nothing more', () => {
  const { log } = opened()
  const told: string[] = []
  const leave = log.subscribe(({ kind }) => told.push(kind))
  log.subscribe(() => told.push('other'))
  log.ask('stop')
  leave()
  log.ask('stop')
  expect(told).toEqual(['asked', 'other', 'other'])
})

test('a change is an event', async () => {
  const { log } = opened()
  const changed = log.changed(Number.POSITIVE_INFINITY, never)
  expect(await isSettled(changed)).toBe(false)
  log.ask('stop')
  expect(await isSettled(changed)).toBe(true)
})

test('a change is a time that has come, and not before', async () => {
  const { clock, log } = opened()
  await clock.until(log.changed(1500, never))
  expect(clock.now()).toBe(1500)
  // a time that has gone by is there at once
  await clock.until(log.changed(1200, never))
  expect(clock.now()).toBe(1500)
})

test('a change is an abort, also one that was before', async () => {
  const { log } = opened()
  const abort = new AbortController()
  const changed = log.changed(Number.POSITIVE_INFINITY, abort.signal)
  expect(await isSettled(changed)).toBe(false)
  abort.abort()
  expect(await isSettled(changed)).toBe(true)
  expect(await isSettled(log.changed(Number.POSITIVE_INFINITY, abort.signal))).toBe(true)
})

test('whoever waited for a change leaves nothing behind, whatever woke it', async () => {
  const clock = new VirtualClock()
  let callsOff = 0
  const onTime = (at: number, wake: () => void) => {
    const callOff = clock.onTime(at, wake)
    return () => {
      callsOff += 1
      callOff()
    }
  }
  const log = new EventLog({ now: () => clock.now(), wallTime: () => clock.wallTime(), onTime })
  const abort = new AbortController()
  const byTime = log.changed(1500, abort.signal)
  await clock.until(byTime)
  void log.changed(9000, abort.signal)
  log.ask('stop')
  expect(callsOff).toBe(2)
  // Neither another event nor an abort finds anyone who still waits.
  log.ask('stop')
  abort.abort()
  expect(callsOff).toBe(2)
  expect(clock.waiting).toBe(0)
})
