import { describe, expect, test } from 'vitest'
import { runProgress } from '../../src/domain/progress.ts'
import { answered, Desk, decode } from './desk.ts'

const redo = (desk: Desk, cell: number) => desk.tell({ kind: 'asked', ask: { kind: 'redo-cell', cell } })
const target = (desk: Desk) => desk.state.job?.target
const cell = (index: number) => ({ kind: 'cell', cell: index })
const started = (change = {}) => new Desk({ ...decode(1, 2, 4), ...change }).calibrate()
const left = (desk: Desk) => {
  const { done, total } = runProgress(desk.state, desk.now)
  return total - done
}

describe('an ended cell that the operator wants anew', () => {
  test('is measured after the job under way, before the rest, and tells what it was before', () => {
    const desk = started().measure()
    expect(left(desk)).toBe(2)
    redo(desk, 0)
    expect(left(desk)).toBe(3)
    expect(desk.cell(0)).toMatchObject({ status: 'valid', redoAsked: true })
    desk.measure()
    expect(target(desk)).toEqual(cell(0))
    expect(desk.cell(0)).toMatchObject({ status: 'running', redoAsked: false, summary: null })
    desk.measure()
    expect(target(desk)).toEqual(cell(2))
    expect(desk.cell(0)).toMatchObject({ status: 'valid', attempts: 1, earlier: null })
    expect(desk.cell(0).passes).toHaveLength(1)
    expect(desk.cell(0).reasons).toContainEqual({ kind: 'retried', status: 'valid', kinds: ['few-samples'] })
  })

  test('has all its passes anew, and tells of the earlier ones to the end', () => {
    const desk = started({ concurrency: [1], repeat: 2 }).measure()
    desk.measure()
    redo(desk, 0)
    // The last look at the server is under way.
    expect(desk.idle()).toEqual(['drained', 'done', 'start cell 0'])
    expect(desk.measure().cell(0)).toMatchObject({ attempts: 2, status: 'running' })
    desk.measure()
    expect(desk.cell(0).passes).toHaveLength(2)
    expect(desk.cell(0).reasons).toContainEqual(expect.objectContaining({ kind: 'retried' }))
    expect(target(desk)).toEqual({ kind: 'final-drain' })
  })

  test('keeps its earlier result when that is skipped or stopped', () => {
    for (const ask of ['skip-cell', 'stop'] as const) {
      const desk = started().measure()
      const { summary } = desk.cell(0)
      redo(desk, 0).measure()
      desk.launch()
      desk.tell({ kind: 'asked', ask }).obey()
      desk.closed(null)
      expect(desk.cell(0)).toMatchObject({ status: 'valid', summary, attempts: 1, earlier: null })
      expect(target(desk)).toEqual(ask === 'stop' ? { kind: 'final-drain' } : cell(2))
    }
  })

  test('may have been skipped', () => {
    const desk = started()
    desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
    redo(desk, 0).measure()
    expect(target(desk)).toEqual(cell(0))
    expect(desk.measure().cell(0)).toMatchObject({ status: 'valid' })
  })

  test('after the last look at the server makes that look be taken once more', () => {
    const desk = started({ concurrency: [1] }).measure()
    redo(desk, 0)
    desk.idle()
    desk.measure()
    expect(target(desk)).toEqual({ kind: 'final-drain' })
    expect(desk.idle()).toEqual(['drained', 'done', 'run completed'])
  })
})

describe('the running cell that the operator wants anew', () => {
  test('gives up its pass and begins it anew; nothing of it is left', () => {
    const desk = started().launch().open().wait(10_100)
    expect(redo(desk, 0).obey()).toEqual(['close'])
    expect(desk.closed(desk.now)).toEqual(['given-up', 'start cell 0'])
    expect(desk.cell(0)).toMatchObject({ status: 'running', attempts: 1, partial: null, earlier: null })
    expect(desk.measure().cell(0)).toMatchObject({ status: 'valid', reasons: [{ kind: 'few-samples' }] })
    expect(target(desk)).toEqual(cell(1))
  })

  test('begins anew in any phase, also when its window has just reached its end', () => {
    const waiting = started()
    expect(redo(waiting, 0).obey()).toEqual(['given-up', 'start cell 0'])

    const warming = started()
    warming.idle()
    expect(redo(warming, 0).obey()).toEqual(['close'])
    expect(warming.ended(answered('warm', 32_000, 8180))).toEqual([])
    expect(warming.closed(null)).toEqual(['given-up', 'start cell 0'])

    const closing = started().launch().open().wait(30_150)
    closing.obey()
    expect(redo(closing, 0).obey()).toEqual([])
    expect(closing.closed()).toEqual(['given-up', 'start cell 0'])
  })

  test('keeps the passes that it had before', () => {
    const desk = started({ concurrency: [1], repeat: 2 })
      .measure()
      .launch()
      .open()
      .wait(10_100)
    redo(desk, 0).obey()
    desk.closed(desk.now)
    expect(desk.cell(0)).toMatchObject({ status: 'running', attempts: 2 })
    desk.measure()
    expect(desk.cell(0).passes).toHaveLength(2)
    expect(target(desk)).toEqual({ kind: 'final-drain' })
  })

  test('when it is a redo itself keeps what the cell was at first', () => {
    const desk = started({ concurrency: [1] }).measure()
    redo(desk, 0)
    desk.idle()
    desk.launch()
    redo(desk, 0).obey()
    desk.closed(null)
    expect(desk.cell(0)).toMatchObject({ status: 'running', earlier: { status: 'valid' } })
    expect(desk.measure().cell(0).reasons).toContainEqual(expect.objectContaining({ kind: 'retried' }))
  })
})

test('a cell that has not run, cannot run or does not exist is not done anew', () => {
  const desk = started({ concurrency: [1, 2], kvBudgetTokens: 13_000 })
  const before = desk.state.cells
  expect(before.map(({ status }) => status)).toEqual(['running', 'over-capacity'])
  redo(desk, 1)
  redo(desk, 9)
  expect(desk.state.cells).toEqual(before)
  expect(redo(started(), 2).state.cells[2]?.redoAsked).toBe(false)
})
