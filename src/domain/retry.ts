import type { RunOptions } from './run-options.ts'
import type { CellState, RunState } from './run-state.ts'
import type { CellStatus, Reason } from './verdict.ts'

/** What a cell was before it is measured once more; it comes back when that is skipped or interrupted. */
export type EarlierResult = Pick<CellState, 'reasons' | 'summary' | 'passes' | 'attempts'> & {
  readonly status: CellStatus
}

/** What a cell that has had its passes may be measured once more for; `null`: for nothing, or it was already. */
export function retryOf(
  { status, attempts, reasons, summary, passes }: CellState,
  { retryInvalid, repeat }: Pick<RunOptions, 'retryInvalid' | 'repeat'>,
): EarlierResult | null {
  if (!retryInvalid || attempts !== repeat || (status !== 'invalid' && status !== 'failed')) return null
  return { status, reasons, summary, passes, attempts: attempts + 1 }
}

/** Whether a cell has come to an end that the operator may want anew. */
export function canRedo({ status, redoAsked }: CellState): boolean {
  return status !== 'planned' && status !== 'over-capacity' && !redoAsked
}

/** The state after the operator asked for a cell anew; the same when there is nothing to be done anew. */
export function askRedo(state: RunState, index: number): RunState {
  const cell = state.cells[index]
  if (cell === undefined || !canRedo(cell)) return state
  const { job } = state
  if (cell.status === 'running')
    return job?.target.kind === 'cell' && job.target.cell === index
      ? { ...state, job: { ...job, redoAsked: true } }
      : state
  return { ...state, cells: state.cells.with(index, { ...cell, redoAsked: true }) }
}

/** What a cell that the operator wants anew was so far; `null` when it is not to be done anew. */
export function redoOf({
  redoAsked,
  status,
  attempts,
  reasons,
  summary,
  passes,
}: CellState): EarlierResult | null {
  if (!redoAsked || status === 'planned' || status === 'running') return null
  return { status, reasons, summary, passes, attempts }
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
