import { describe, expect, test } from 'vitest'
import { runProgress } from '../../src/domain/progress.ts'
import { answered, brokenBy, busy, Desk, decode } from './desk.ts'

const retrying = (concurrency: readonly number[], change = {}) =>
  new Desk({ ...decode(...concurrency), retryInvalid: true, ...change }).calibrate()

const target = (desk: Desk) => desk.state.job?.target
const cell = (index: number) => ({ kind: 'cell', cell: index })

/** The wait for an idle server is in vain; the cell is measured all the same. */
function disturbed(desk: Desk): Desk {
  desk.wait(60_000).look({ running: 3, queued: 0 }).obey()
  if (desk.state.job?.phase === 'requests') desk.ended(answered('warm', 32_000, 8180))
  desk.open().wait(30_150).obey()
  desk.closed()
  return desk
}

/** None of the streams is answered. */
function refused(desk: Desk): Desk {
  desk.idle()
  if (desk.state.job?.phase === 'requests') desk.ended(answered('warm', 32_000, 8180))
  const { concurrency } = desk.cell().plan
  const failures = Array.from({ length: Math.max(3, concurrency) }, () => brokenBy(busy, 'launch'))
  desk.ticks({ ended: failures }).obey()
  desk.closed(null)
  return desk
}

describe('cells that ended invalid or failed', () => {
  test('are measured once more after all others, and tell what they were before', () => {
    const desk = retrying([1, 2, 3])
    disturbed(desk).measure()
    refused(desk)
    expect(target(desk)).toEqual(cell(0))
    desk.measure()
    expect(target(desk)).toEqual(cell(2))
    desk.measure()
    expect(target(desk)).toEqual({ kind: 'final-drain' })
    expect(desk.state.cells.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid'])
    expect(desk.state.cells.map(({ reasons }) => reasons)).toEqual([
      [
        { kind: 'few-samples', n: 0 },
        { kind: 'retried', status: 'invalid', kinds: ['foreign-load', 'few-samples'] },
      ],
      [{ kind: 'few-samples', n: 0 }],
      [
        { kind: 'few-samples', n: 0 },
        { kind: 'retried', status: 'failed', kinds: ['failed'] },
      ],
    ])
  })

  test('have the later result alone: nothing is pooled with what was invalid', () => {
    const desk = disturbed(retrying([1])).measure()
    expect(desk.cell(0)).toMatchObject({ attempts: 2, summary: { windowSeconds: 30, outputTokens: 3000 } })
    expect(desk.cell(0).passes).toHaveLength(1)
  })

  test('are not measured a third time, whatever the second result is', () => {
    const desk = refused(disturbed(retrying([1])))
    expect(target(desk)).toEqual({ kind: 'final-drain' })
    expect(desk.cell(0)).toMatchObject({
      status: 'failed',
      summary: null,
      reasons: [{ kind: 'failed' }, { kind: 'retried', status: 'invalid' }],
    })
  })

  test('keep their earlier result when the retry is skipped or the run is stopped in it', () => {
    for (const ask of ['skip-cell', 'stop'] as const) {
      const desk = disturbed(retrying([1]))
      const { earlier } = desk.cell(0)
      expect(earlier).toMatchObject({ status: 'invalid', summary: { windowSeconds: 30 } })
      desk.launch().open().wait(5100)
      expect(desk.cell(0)).toMatchObject({ status: 'running', summary: null, reasons: [] })
      desk.tell({ kind: 'asked', ask }).obey()
      desk.closed(desk.now)
      expect(desk.cell(0)).toMatchObject({ ...earlier, earlier: null })
      expect(desk.cell(0).partial).toMatchObject({ windowSeconds: 5 })
      expect(target(desk)).toEqual({ kind: 'final-drain' })
    }
  })

  test('stay as they are unless asked for', () => {
    const desk = disturbed(retrying([1], { retryInvalid: false }))
    expect(target(desk)).toEqual({ kind: 'final-drain' })
    expect(desk.cell(0)).toMatchObject({ status: 'invalid', attempts: 1 })
  })

  test('of several passes are measured once more after the last one', () => {
    const desk = disturbed(retrying([1, 2], { repeat: 2 })).measure()
    expect(target(desk)).toEqual(cell(0))
    desk.measure()
    expect(target(desk)).toEqual(cell(1))
    desk.measure()
    expect(target(desk)).toEqual(cell(0))
    desk.measure()
    expect(desk.cell(0)).toMatchObject({ status: 'valid', attempts: 3, summary: { windowSeconds: 30 } })
    expect(target(desk)).toEqual({ kind: 'final-drain' })
  })
})

test('cells that were skipped are not measured once more', () => {
  const desk = retrying([1])
  desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
  expect(target(desk)).toEqual({ kind: 'final-drain' })
})

test('a cell that is to be measured once more is not done, and its time remains', () => {
  const desk = retrying([1, 2], { prompts: 'shared' })
  disturbed(desk)
  // 30 s of window and 2.5 s beside it, for the second cell and for the retry of the first
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 0, total: 2, remainingSeconds: 65 })
  desk.measure()
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 1, total: 2, remainingSeconds: 32.5 })
  desk.measure()
  expect(runProgress(desk.state, desk.now)).toMatchObject({ done: 2, total: 2, remainingSeconds: 0 })
})
