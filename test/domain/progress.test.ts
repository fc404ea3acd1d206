import { expect, test } from 'vitest'
import { runProgress } from '../../src/domain/progress.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { server } from './build.ts'
import { Desk, decode } from './desk.ts'

// 30 s of window and 2.5 s beside it
const cellSeconds = 32.5
const remaining = (desk: Desk) => runProgress(desk.state, desk.now).remainingSeconds ?? Number.NaN

test('before anything was measured the rest is estimated at 10,000 prompt tokens a second', () => {
  // warm-up and 2 samples of 8192, and one new prompt for each of 1 and 2 streams
  const desk = new Desk({ contexts: [8192], concurrency: [1, 2] })
  expect(remaining(desk)).toBeCloseTo(3 * 0.8192 + 2 * (cellSeconds + 0.8192), 9)
})

test('the measured prefill speed replaces the assumption', () => {
  const desk = new Desk({ contexts: [8192], concurrency: [2] }).calibrate().prefill(400)
  // the job of the cell has just begun; its 2 prompts are not known to the server: half are taken for cached
  expect(remaining(desk)).toBeCloseTo(cellSeconds + 0.4, 9)
  desk.wait(2000)
  expect(remaining(desk)).toBeCloseTo(cellSeconds + 0.4 - 2, 9)
})

test('a cell that takes longer than thought leaves its window and the estimate of the others', () => {
  const desk = new Desk({ contexts: [8192], concurrency: [1, 2], prompts: 'shared' }).calibrate().prefill(400)
  desk.wait(60_000)
  // the window of 30 s is still to come, then the other cell, its prompt taken for new
  expect(remaining(desk)).toBeCloseTo(30 + cellSeconds + 0.4, 9)
})

test('cells that do not fit are neither done nor to come', () => {
  const limits = { ...unknownLimits, maxRunningRequests: 1 }
  const desk = new Desk(decode(1, 2, 4), server({ loads: true }, limits))
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 0, total: 1 })
  desk.calibrate().measure()
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 1, total: 1, remainingSeconds: 0 })
})

test('passes that are still to come count: after the first of three, two thirds of the run remain', () => {
  const desk = new Desk({ ...decode(1), repeat: 3, prompts: 'shared' }).calibrate()
  // nothing was measured yet, and one prompt of 8192 is to be read
  expect(remaining(desk)).toBeCloseTo(3 * cellSeconds + 0.8192, 9)
  desk.measure()
  expect(remaining(desk)).toBeCloseTo(2 * cellSeconds, 9)
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 0, total: 1 })
  desk.measure().measure()
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 1, remainingSeconds: 0 })
})

test('a prefill row without a prompt tells no speed, and makes no estimate impossible', () => {
  const desk = new Desk({ contexts: [0, 8192], prefillContexts: [0], concurrency: [1] })
    .calibrate()
    .prefill(50)
  expect(remaining(desk)).toBeCloseTo(2 * cellSeconds + 0.8192, 9)
})

test('time is counted from the start of the run to its end; nothing remains after it', () => {
  const desk = new Desk(decode(1)).wait(4000)
  expect(runProgress(desk.state, desk.now).elapsedSeconds).toBe(4)
  desk.tell({ kind: 'run-ended', ending: 'stopped', wallTime: '2026-01-01T00:00:04Z', message: null })
  expect(runProgress(desk.state, desk.now + 60_000)).toMatchObject({ elapsedSeconds: 4, remainingSeconds: 0 })
})
