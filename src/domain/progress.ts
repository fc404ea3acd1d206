import type { PlannedCell, PlannedPrefill } from './plan.ts'
import { needsWarmUp } from './prefill-row.ts'
import type { RunOptions } from './run-options.ts'
import type { RunState } from './run-state.ts'

/** Prompt tok/s that an estimate uses before anything was measured; whoever shows such an estimate says so. */
export const assumedPrefillRate = 10_000
/** Per cell: look at the server, settle, close, and the restarts' first tokens, seconds. */
const cellOverheadSeconds = 2.5

export type RunProgress = {
  readonly done: number
  readonly total: number
  readonly elapsedSeconds: number
  /** From the measured prefill speed as soon as there is one; `null` before the plan is known. */
  readonly remainingSeconds: number | null
}

/** How far a run is at `now` (ms on the run's clock); the rest is estimated cell by cell. */
export function runProgress(state: RunState, now: number): RunProgress {
  const runnable = [...state.prefill, ...state.cells].filter(({ status }) => status !== 'over-capacity')
  const open = (status: string) => status === 'planned' || status === 'running'
  const end = state.ending?.at ?? now
  const options = state.run?.options
  const rest =
    options === undefined
      ? null
      : state.prefill
          .filter(({ status }) => open(status))
          .reduce((s, { plan }) => s + prefillSeconds(plan, options, state), 0) +
        state.cells
          .filter(({ status }) => open(status))
          .reduce((s, { plan }) => s + cellSeconds(plan, options, state), 0)
  const spent =
    state.job === null || state.job.target.kind === 'final-drain' ? 0 : (now - state.job.startedAt) / 1000
  return {
    done: runnable.filter(({ status }) => !open(status)).length,
    total: runnable.length,
    elapsedSeconds: state.run === null ? 0 : (end - state.run.startedAt) / 1000,
    remainingSeconds:
      rest === null || state.run === null ? null : state.ending === null ? Math.max(0, rest - spent) : 0,
  }
}

/** Estimated seconds for one prefill row: warm-up and samples. */
export function prefillSeconds(
  { contextTokens }: PlannedPrefill,
  options: RunOptions,
  state: RunState,
): number {
  const samples = options.prefillSamples ?? (needsWarmUp(contextTokens) ? 2 : 1)
  return (samples + (needsWarmUp(contextTokens) ? 1 : 0)) * readSeconds(contextTokens, state)
}

/** Estimated seconds for one cell: its windows, and reading the prompts that the cell before it did not have. */
export function cellSeconds(
  { contextTokens, concurrency }: PlannedCell,
  options: RunOptions,
  state: RunState,
): number {
  const prompts = options.prompts === 'shared' ? 1 : concurrency
  const cold = Math.max(0, prompts - (state.warmedStreams[contextTokens] ?? Math.floor(prompts / 2)))
  return (
    options.repeat * (options.durationSeconds + cellOverheadSeconds) +
    cold * readSeconds(contextTokens, state)
  )
}

/** Seconds to read one prompt, by the nearest measured row. */
function readSeconds(contextTokens: number, { prefill }: RunState): number {
  const measured = prefill.flatMap(({ plan, summary }) =>
    summary === null
      ? []
      : [{ contextTokens: plan.contextTokens, rate: plan.contextTokens / (summary.ttftMs / 1000) }],
  )
  const nearest = measured.reduce<{ contextTokens: number; rate: number } | null>(
    (best, row) =>
      best === null ||
      Math.abs(row.contextTokens - contextTokens) < Math.abs(best.contextTokens - contextTokens)
        ? row
        : best,
    null,
  )
  return contextTokens / (nearest?.rate ?? assumedPrefillRate)
}
