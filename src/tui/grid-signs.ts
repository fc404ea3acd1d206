import { kneeOf } from '../domain/knee.ts'
import type { Slo } from '../domain/run-options.ts'
import type { CellState, RunState } from '../domain/run-state.ts'
import { comparableTotal } from '../domain/scaling.ts'
import { sloCell, sloRows } from '../domain/slo.ts'
import type { Sign } from './marks.ts'

/** What is worth a sign in the grid: for each cell that has one, the most urgent first. */
export function gridSigns({ cells, run }: RunState): ReadonlyMap<CellState, readonly Sign[]> {
  const best = bestOf(cells)
  const knees = kneesOf(cells)
  const holders = holdersOf(cells, run?.options.slo ?? null)
  return new Map(
    cells.map(cell => [
      cell,
      [
        ...(cell.redoAsked ? (['redo'] as const) : []),
        ...(cell === best ? (['best'] as const) : []),
        ...(knees.has(cell) ? (['knee'] as const) : []),
        ...(holders.has(cell) ? (['slo'] as const) : []),
      ],
    ]),
  )
}

/** The cell with the most tok/s; `null` as long as there is nothing to compare. */
function bestOf(cells: readonly CellState[]): CellState | null {
  const totals = cells.flatMap(cell => {
    const total = comparableTotal(cell)
    return total === null ? [] : [{ cell, total }]
  })
  if (totals.length < 2) return null
  const most = Math.max(...totals.map(({ total }) => total))
  return totals.find(({ total }) => total === most)?.cell ?? null
}

/** In each row, which the plan has in ascending order, the cell after which more streams hardly give more tokens. */
function kneesOf(cells: readonly CellState[]): ReadonlySet<CellState> {
  const rows = Map.groupBy(cells, ({ plan }) => plan.contextTokens)
  return new Set(
    [...rows.values()].flatMap(row => {
      const knee = kneeOf(
        row.map(cell => ({ concurrency: cell.plan.concurrency, tokensPerSecond: comparableTotal(cell) })),
      )
      return row.filter(({ plan }) => plan.concurrency === knee)
    }),
  )
}

/** In each row the cell with the most streams that still hold what was asked for. */
function holdersOf(cells: readonly CellState[], slo: Slo | null): ReadonlySet<CellState> {
  if (slo === null || (slo.ttftMs === null && slo.itlMs === null)) return new Set()
  const holders = new Map(
    sloRows(cells.map(sloCell), slo).map(({ contextTokens, concurrency }) => [contextTokens, concurrency]),
  )
  return new Set(cells.filter(({ plan }) => holders.get(plan.contextTokens) === plan.concurrency))
}
