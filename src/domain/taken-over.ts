import type { CellSummary } from './cell-summary.ts'
import type { PrefillSummary } from './prefill-row.ts'
import type { CellState, RunState } from './run-state.ts'
import type { CellStatus, Reason } from './verdict.ts'

/** The run that measured something. */
export type MeasuredIn = { readonly runId: string; readonly startedAt: string | null }

type Taken<Summary> = {
  /** Of the row or the cell in the plan. */
  readonly index: number
  readonly status: CellStatus
  readonly reasons: readonly Reason[]
  readonly summary: Summary
  readonly measuredIn: MeasuredIn
}

/** What earlier runs measured of this one's plan: it is not measured again. */
export type TakenOver = {
  readonly prefill: readonly Taken<PrefillSummary>[]
  readonly cells: readonly Taken<CellSummary>[]
}

/** What there was to take over, in words. */
export function describeTakenOver({ prefill, cells }: TakenOver): string {
  return `taken over from an earlier run: ${prefill.length} prefill rows, ${cells.length} cells`
}

/** The state with these results in their places. */
export function takeOver(state: RunState, taken: TakenOver): RunState {
  return {
    ...state,
    prefill: state.prefill.map((row, at) => {
      const found = taken.prefill.find(({ index }) => index === at)
      return found === undefined ? row : { ...row, ...resultOf(found) }
    }),
    cells: state.cells.map((cell, at) => {
      const found = taken.cells.find(({ index }) => index === at)
      return found === undefined ? cell : { ...cell, ...resultOf(found) }
    }),
    takenOver: taken,
  }
}

/** Which run measured the cell; `null`: this one, or none. A cell of another run has figures and no passes. */
export function measuredIn({ takenOver }: RunState, cell: CellState, index: number): MeasuredIn | null {
  if (cell.passes.length > 0 || cell.summary === null) return null
  return takenOver.cells.find(one => one.index === index)?.measuredIn ?? null
}

function resultOf<Summary>({ status, reasons, summary }: Taken<Summary>) {
  return { status, reasons, summary }
}
