import { isComparable } from '../domain/comparable.ts'
import { TokgridError } from '../domain/failure.ts'
import { summarizePrefill } from '../domain/prefill-row.ts'
import type { RunState } from '../domain/run-state.ts'
import { known } from '../domain/statistics.ts'
import type { TakenOver } from '../domain/taken-over.ts'
import { readReason } from './read-reason.ts'
import { readSummary } from './read-summary.ts'
import type { ResultCell, ResultPrefill, RunResult } from './schema.ts'

/** Options that may differ: which cells are wanted, and how long the run waits for things. */
const mayDiffer = new Set([
  'contexts',
  'concurrency',
  'prefillContexts',
  'phases',
  'retryInvalid',
  'force',
  'kvBudgetTokens',
  'readyTimeoutSeconds',
  'drainTimeoutSeconds',
  'stallTimeoutSeconds',
])

/**
 * What an earlier result of ours has of a planned run: its cells and rows that are valid, queued ones too. `now` is the
 * run's own result before anything is measured. Throws TokgridError (usage) that says what differs, when server, prompts
 * or options are not the same: then the cells would not be of one run.
 */
export function resumeFrom(earlier: RunResult, state: RunState, now: RunResult, file: string): TakenOver {
  if (earlier.imported !== null)
    throw new TokgridError('usage', `--resume: ${file} is of another tool`, 'give a result of tokgrid')
  const differences = differencesBetween(earlier, now)
  if (differences.length > 0)
    throw new TokgridError(
      'usage',
      `--resume: ${file} was measured otherwise: ${differences.join('; ')}`,
      'give the same flags for the same server, or measure all anew',
    )
  const { id: runId, startedAt } = earlier.run
  const common = ({ status, reasons, measuredIn }: ResultCell | ResultPrefill) => ({
    status,
    reasons: known(reasons.map(readReason)),
    measuredIn: measuredIn ?? { runId, startedAt },
  })
  return {
    prefill: state.prefill.flatMap(({ plan, status }, index) => {
      const row = earlier.prefill.filter(isComparable).find(one => one.contextTokens === plan.contextTokens)
      const summary = row === undefined ? null : summarizePrefill(row.samples)
      if (row === undefined || summary === null || status !== 'planned') return []
      return [{ index, summary, ...common(row) }]
    }),
    cells: state.cells.flatMap(({ plan, status }, index) => {
      const cell = earlier.decode
        .filter(isComparable)
        .find(one => one.contextTokens === plan.contextTokens && one.concurrency === plan.concurrency)
      const summary = cell === undefined ? null : readSummary(cell)
      if (cell === undefined || summary === null || status !== 'planned') return []
      return [{ index, summary, ...common(cell) }]
    }),
  }
}

/** Whether nothing that the earlier run measured is left out. */
export function takesAll({ prefill, decode }: RunResult, taken: TakenOver): boolean {
  const isThere = ({ status }: ResultCell | ResultPrefill) =>
    status !== 'not-run' && status !== 'over-capacity'
  return (
    prefill.filter(isThere).length + decode.filter(isThere).length ===
    taken.prefill.length + taken.cells.length
  )
}

function differencesBetween(earlier: RunResult, now: RunResult): readonly string[] {
  const compared = (result: RunResult): Readonly<Record<string, unknown>> => ({
    engine: result.server.engine.name,
    'engine version': result.server.engine.version,
    model: result.server.model.id,
    'model path': result.server.model.path,
    ...result.server.limits,
    'prompt set': result.run.promptSet?.version,
    'prompt texts': result.run.promptSet?.hash,
    ...result.run.options,
  })
  const before = compared(earlier)
  return Object.entries(compared(now))
    .filter(([name]) => !mayDiffer.has(name))
    .flatMap(([name, value]) => {
      const [was, is] = [text(before[name]), text(value)]
      return was === is ? [] : [`${name} ${was} then, ${is} now`]
    })
}

function text(value: unknown): string {
  return value === undefined || value === null ? 'unknown' : JSON.stringify(value)
}
