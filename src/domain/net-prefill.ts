import { netPrefillRate } from './prefill-row.ts'
import type { CellState, PrefillState } from './run-state.ts'

/**
 * Prompt tok/s of a row without the host's work, by the cached TTFT of the cell of one stream at the same context.
 * `null` without such a cell, and when that one may not be relied on.
 */
export function netPrefill({ plan, summary }: PrefillState, cells: readonly CellState[]): number | null {
  const single = cells.find(
    cell =>
      cell.plan.contextTokens === plan.contextTokens &&
      cell.plan.concurrency === 1 &&
      cell.status !== 'invalid' &&
      cell.status !== 'failed',
  )
  return summary === null ? null : netPrefillRate(summary, single?.summary?.ttftMs.headline ?? null)
}
