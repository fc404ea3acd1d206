import { expect, test } from 'vitest'
import type { CellState } from '../../src/domain/run-state.ts'
import { scalingEfficiency } from '../../src/domain/scaling.ts'
import { Desk, decode } from './desk.ts'

/** Cells of 8K with 1 and 4 streams that made so many tok/s. */
function cells(totals: readonly [number, number], change: Partial<CellState> = {}, of: 0 | 1 = 1) {
  const measured = new Desk(decode(1, 4)).calibrate().measure().measure().state.cells
  return measured.map((cell, index) => {
    if (cell.summary === null) throw new Error('the cell was measured')
    const mean = totals[index] ?? 0
    const totalTokensPerSecond = { ...cell.summary.totalTokensPerSecond, mean }
    const told: CellState = { ...cell, summary: { ...cell.summary, totalTokensPerSecond } }
    return index === of ? { ...told, ...change } : told
  })
}

const efficiencies = (all: readonly CellState[]) => all.map(cell => scalingEfficiency(cell, all))

test('scaling efficiency is the share of C times the speed of one stream', () => {
  // 600 / (4 × 200)
  expect(efficiencies(cells([200, 600]))).toEqual([1, 0.75])
})

test('cells with queued requests count, those that must not be compared do not', () => {
  expect(efficiencies(cells([200, 600], { status: 'requests-queued' }))).toEqual([1, 0.75])
  expect(efficiencies(cells([200, 600], { status: 'invalid' }))).toEqual([1, null])
  expect(efficiencies(cells([200, 600], { status: 'invalid' }, 0))).toEqual([null, null])
  expect(efficiencies(cells([200, 600], { status: 'failed', summary: null }))).toEqual([1, null])
})

test('without a single stream of the same context it is unknown, and so it is beside one that made nothing', () => {
  const [single, several] = cells([200, 600])
  if (single === undefined || several === undefined) throw new Error('there are two cells')
  expect(scalingEfficiency(several, [several])).toBe(null)
  const other = { ...single, plan: { ...single.plan, contextTokens: 16_384 } }
  expect(scalingEfficiency(several, [other, several])).toBe(null)
  expect(efficiencies(cells([0, 600]))).toEqual([null, null])
})
