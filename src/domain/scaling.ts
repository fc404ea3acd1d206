import { isComparable } from './comparable.ts'
import type { CellState } from './run-state.ts'

/**
 * Scaling efficiency of a cell: total(C) / (C × total(1)) of the same context, 1 when C streams are C times as fast as
 * one. `null` unless both cells may be compared.
 */
export function scalingEfficiency(cell: CellState, cells: readonly CellState[]): number | null {
  const { contextTokens, concurrency } = cell.plan
  const single = cells.find(({ plan }) => plan.contextTokens === contextTokens && plan.concurrency === 1)
  const total = comparableTotal(cell)
  const alone = single === undefined ? null : comparableTotal(single)
  return total === null || alone === null || alone === 0 ? null : total / (concurrency * alone)
}

/** Total tok/s of a cell that may be compared with others; `null` when it has none, or may not. */
export function comparableTotal(cell: CellState): number | null {
  return isComparable(cell) ? (cell.summary?.totalTokensPerSecond.mean ?? null) : null
}
