import { isComparable } from '../../domain/comparable.ts'
import { kneeOf } from '../../domain/knee.ts'
import { cellKey, type ReportCell, type ReportRun } from './report-run.ts'

/** The comparable cell with the highest total tok/s. */
export function bestCell(cells: readonly ReportCell[]): ReportCell | null {
  return cells.reduce<ReportCell | null>((best, cell) => {
    const total = comparableTotal(cell)
    return total !== null && total > ((best && comparableTotal(best)) ?? 0) ? cell : best
  }, null)
}

/** Which cell is open before one is chosen: the best of the first run, else any. */
export function openedAtFirst(runs: readonly ReportRun[]): string | null {
  const cell = bestCell(runs[0]?.cells ?? []) ?? runs.flatMap(({ cells }) => cells)[0]
  return cell === undefined ? null : cellKey(cell)
}

/** The cells after which more concurrency gains little, one for each context that bends. */
export function kneeCells(cells: readonly ReportCell[]): readonly ReportCell[] {
  const contexts = [...new Set(cells.map(cell => cell.contextTokens))]
  return contexts.flatMap(context => {
    const row = cells
      .filter(cell => cell.contextTokens === context)
      .sort((a, b) => a.concurrency - b.concurrency)
    const knee = kneeOf(
      row.map(cell => ({ concurrency: cell.concurrency, tokensPerSecond: comparableTotal(cell) })),
    )
    return row.filter(cell => cell.concurrency === knee)
  })
}

export function comparableTotal(cell: ReportCell): number | null {
  return isComparable(cell) ? (cell.totalTokensPerSecond?.mean ?? null) : null
}
