import { describe, expect, test } from 'vitest'
import { isPaused } from '../../src/domain/next-step.ts'
import { Desk, decode } from './desk.ts'

const ask = (desk: Desk, wish: 'pause' | 'resume' | 'stop') => desk.tell({ kind: 'asked', ask: wish }).obey()
const started = () => new Desk(decode(1, 2)).calibrate()

describe('a run that is to pause', () => {
  test('ends the cell under way, then waits for as long as it takes', () => {
    const desk = started().launch().open()
    expect(ask(desk, 'pause')).toEqual([])
    expect(isPaused(desk.state)).toBe(false)
    desk.wait(100 + 30_000 + 50).obey()
    expect(desk.closed()).toEqual(['done'])
    expect(desk.cell(0).status).toBe('valid')
    expect(isPaused(desk.state)).toBe(true)
    expect(desk.wait(3_600_000).idle()).toEqual([])
    expect(desk.step()).toMatchObject({ do: 'wait', until: Number.POSITIVE_INFINITY })
  })

  test('goes on when it is resumed', () => {
    const desk = started()
    ask(desk, 'pause')
    desk.measure()
    expect(ask(desk, 'resume')).toEqual(['start cell 1'])
    expect(isPaused(desk.state)).toBe(false)
  })

  test('goes on as if nothing was when it is resumed before the cell has ended', () => {
    const desk = started().launch()
    ask(desk, 'pause')
    ask(desk, 'resume')
    expect(desk.open().wait(30_150).obey()).toEqual(['close'])
    expect(desk.closed()).toEqual(['done', 'start cell 1'])
  })

  test('ends when it is stopped in the pause', () => {
    const desk = started()
    ask(desk, 'pause')
    desk.measure()
    expect(ask(desk, 'stop')).toEqual(['start final-drain'])
    expect(isPaused(desk.state)).toBe(false)
    expect(desk.idle()).toEqual(['drained', 'done', 'run stopped'])
  })

  test('after the last cell stays open, so that a cell can still be done anew', () => {
    const desk = started().measure()
    ask(desk, 'pause')
    desk.measure()
    expect(isPaused(desk.state)).toBe(true)
    desk.tell({ kind: 'asked', ask: { kind: 'redo-cell', cell: 0 } })
    expect(desk.obey()).toEqual([])
    expect(ask(desk, 'resume')).toEqual(['start cell 0'])
  })

  test('before its first request does not begin', () => {
    expect(ask(new Desk(decode(1)), 'pause')).toEqual([])
  })
})
