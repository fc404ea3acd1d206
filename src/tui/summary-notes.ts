import type { CellState, PrefillState, RunState } from '../domain/run-state.ts'
import { tokens } from '../format/units.ts'
import { describeLimit } from './capacity-text.ts'
import { describeReason } from './reason-text.ts'

/** What a reader has to know of single cells, one line for all that share it; empty when there is nothing. */
export function summaryNotes({ cells, prefill }: RunState): readonly string[] {
  const told = new Map<string, string[]>()
  const tell = (name: string, note: string) => told.set(note, [...(told.get(note) ?? []), name])
  for (const row of prefill)
    for (const note of notesOf(row)) tell(`prefill ${tokens(row.plan.contextTokens)}`, note)
  for (const cell of cells)
    for (const note of notesOf(cell))
      tell(`${tokens(cell.plan.contextTokens)} × ${cell.plan.concurrency}`, note)
  const lines = [...told].map(([note, names]) => `  ${nameAll(names)}: ${note}`)
  return lines.length === 0 ? [] : ['Notes', ...lines]
}

function notesOf({ status, plan, reasons }: CellState | PrefillState): readonly string[] {
  const misfit =
    status === 'over-capacity' && plan.fit.kind === 'over' ? [describeLimit(plan.fit.limits[0])] : []
  return [...misfit, ...reasons.map(describeReason)]
}

const mostNames = 6

function nameAll(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown
}
