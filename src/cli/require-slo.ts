import type { RunState } from '../domain/run-state.ts'
import { type Requirement, sloCell, sloRows, unmetRequirements } from '../domain/slo.ts'
import { unmetSentence } from '../report/slo-text.ts'
import { exitCodes } from './exit-code.ts'

/**
 * The exit code of a run that ended with `code` when `requirements` are held against its cells: 4 and a line for each
 * that is not met. A run that did not come to its end keeps its own code.
 */
export function requireSlo(
  code: number,
  { run, cells }: RunState,
  requirements: readonly Requirement[],
  writeLine: (line: string) => void,
): number {
  if (run === null || (code !== exitCodes.done && code !== exitCodes.cellsInvalid)) return code
  const rows = sloRows(cells.map(sloCell), run.options.slo)
  const unmet = unmetRequirements(rows, requirements)
  for (const one of unmet) writeLine(`tokgrid: ${unmetSentence(one, rows)}`)
  return unmet.length === 0 ? code : exitCodes.gateFailed
}
