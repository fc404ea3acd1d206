import type { PlannedPrefill } from './plan.ts'
import { needsWarmUp } from './prefill-row.ts'
import { redoOf, retryOf } from './retry.ts'
import type { RunOptions } from './run-options.ts'
import type { CellState, Job, RunState } from './run-state.ts'
import { sum } from './statistics.ts'

/** Prompt tok/s that an estimate uses before anything was measured; whoever shows such an estimate says so. */
export const assumedPrefillRate = 10_000
/** Per cell: look at the server, settle, close, and the restarts' first tokens, seconds. */
const cellOverheadSeconds = 2.5

/** Rows and cells that have ended, of those that fit; seconds. */
export type RunProgress = {
  readonly done: number
  readonly total: number
  readonly elapsedSeconds: number
  /** By the speed at which the server was seen to read prompts, as soon as it was; `null` before the plan is known. */
  readonly remainingSeconds: number | null
}

/** How far a run is at `now` (ms on the run's clock); the rest is estimated cell by cell. */
export function runProgress(state: RunState, now: number): RunProgress {
  const options = state.run?.options
  const rows = state.prefill.filter(({ status }) => status !== 'over-capacity')
  const cells = state.cells.filter(({ status }) => status !== 'over-capacity')
  const openRows = rows.filter(({ status }) => status === 'planned' || status === 'running')
  const openCells = cells.filter(cell => options === undefined || passesLeft(cell, options) > 0)
  const end = state.ending?.at ?? now
  const rest =
    options === undefined
      ? null
      : sum(openRows.map(({ plan }) => prefillSeconds(plan, options, state))) +
        sum(openCells.map(cell => cellSeconds(cell, options, state)))
  const saved = options === undefined || state.job === null ? 0 : savedSeconds(state, state.job, options, now)
  return {
    done: rows.length - openRows.length + cells.length - openCells.length,
    total: rows.length + cells.length,
    elapsedSeconds: state.run === null ? 0 : (end - state.run.startedAt) / 1000,
    remainingSeconds:
      rest === null || state.run === null ? null : state.ending === null ? Math.max(0, rest - saved) : 0,
  }
}

/** What of the running job's estimate needs no waiting any more: one that takes longer does not shorten the others. */
function savedSeconds(state: RunState, job: Job, options: RunOptions, now: number): number {
  const { target, window, startedAt } = job
  const row = target.kind === 'prefill' ? state.prefill[target.row] : undefined
  const cell = target.kind === 'cell' ? state.cells[target.cell] : undefined
  const estimate =
    cell !== undefined
      ? cellSeconds(cell, options, state)
      : row !== undefined
        ? prefillSeconds(row.plan, options, state)
        : 0
  // The window is waited for in any case.
  const ahead =
    cell === undefined ? 0 : window === null ? options.durationSeconds : Math.max(0, (window.to - now) / 1000)
  return Math.min(estimate - ahead, (now - startedAt) / 1000)
}

/** Estimated seconds for one prefill row: warm-up and samples. */
function prefillSeconds({ contextTokens }: PlannedPrefill, options: RunOptions, state: RunState): number {
  const samples = options.prefillSamples ?? (needsWarmUp(contextTokens) ? 2 : 1)
  return (samples + (needsWarmUp(contextTokens) ? 1 : 0)) * readSeconds(contextTokens, state)
}

/** Estimated seconds for the passes that a cell still needs, and for reading the prompts that the cell before it did not have. */
export function cellSeconds(cell: CellState, options: RunOptions, state: RunState): number {
  const { contextTokens, concurrency } = cell.plan
  const prompts = options.prompts === 'shared' ? 1 : concurrency
  const cold = Math.max(0, prompts - (state.warmedStreams[contextTokens] ?? Math.floor(prompts / 2)))
  return (
    passesLeft(cell, options) * (options.durationSeconds + cellOverheadSeconds) +
    cold * readSeconds(contextTokens, state)
  )
}

/** Passes to come, the one under way included. */
function passesLeft(cell: CellState, options: RunOptions): number {
  const { status, attempts } = cell
  const { repeat } = options
  if (status === 'planned' || redoOf(cell) !== null) return repeat
  // A retry is one pass, begun when all others were.
  if (status === 'running') return Math.max(1, repeat - attempts + 1)
  if (retryOf(cell, options) !== null) return 1
  return attempts === 0 || status === 'skipped' ? 0 : Math.max(0, repeat - attempts)
}

/** Seconds to read one prompt, by the speed that the server has shown at the nearest context. */
function readSeconds(contextTokens: number, { readMs }: RunState): number {
  const [nearest] = Object.entries(readMs)
    .map(([context, ms]) => ({ context: Number(context), ms }))
    .filter(({ context }) => context > 0)
    .sort((a, b) => Math.abs(a.context - contextTokens) - Math.abs(b.context - contextTokens))
  return nearest === undefined
    ? contextTokens / assumedPrefillRate
    : ((nearest.ms / nearest.context) * contextTokens) / 1000
}
