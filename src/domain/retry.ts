import type { RunOptions } from './run-options.ts'
import type { CellState } from './run-state.ts'
import type { CellStatus, Reason } from './verdict.ts'

/** What a cell was before it is measured once more; it comes back when that is skipped or interrupted. */
export type EarlierResult = Pick<CellState, 'reasons' | 'summary' | 'passes'> & {
  readonly status: Extract<CellStatus, 'invalid' | 'failed'>
}

/** What a cell that has had its passes may be measured once more for; `null`: for nothing, or it was already. */
export function retryOf(
  { status, attempts, reasons, summary, passes }: CellState,
  { retryInvalid, repeat }: Pick<RunOptions, 'retryInvalid' | 'repeat'>,
): EarlierResult | null {
  if (!retryInvalid || attempts !== repeat || (status !== 'invalid' && status !== 'failed')) return null
  return { status, reasons, summary, passes }
}

/** A cell at the start of its retry: nothing of the earlier result counts towards the later one. */
export function beginRetry(cell: CellState, earlier: EarlierResult): CellState {
  return { ...cell, reasons: [], summary: null, passes: [], earlier }
}

/** A cell at the end of its retry: the later result, which tells of the earlier one. */
export function endRetry(cell: CellState, { status, reasons }: EarlierResult): CellState {
  const retried: Reason = { kind: 'retried', status, kinds: [...new Set(reasons.map(({ kind }) => kind))] }
  return { ...cell, reasons: [...cell.reasons, retried], earlier: null }
}
