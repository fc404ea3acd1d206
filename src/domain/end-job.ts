import { cacheHits, coldCache } from './cache-check.ts'
import { type CellPass, summarizeCell } from './cell-summary.ts'
import { endedEarly } from './ended-early.ts'
import type { JobOutcome } from './events.ts'
import { describeFailure } from './failure.ts'
import { foreignInRow, foreignPrompts } from './foreign-load.ts'
import { judgeCell } from './judge-cell.ts'
import { type PrefillSummary, summarizePrefill } from './prefill-row.ts'
import type { RequestTrace } from './request-trace.ts'
import { endRetry } from './retry.ts'
import type { CellState, Job, PrefillState, RunState } from './run-state.ts'
import { max } from './statistics.ts'
import type { Reason } from './verdict.ts'

const unreachableLimit = 2

/** The state after a job: its figures and its status are drawn from what was recorded in it. */
export function endJob(state: RunState, outcome: JobOutcome): RunState {
  const { job } = state
  if (job === null) return state
  const next = { ...state, job: null, ...fatality(state, job, outcome) }
  const { target } = job
  switch (target.kind) {
    case 'calibrate':
      return next
    case 'prefill':
      return {
        ...next,
        prefill: replace(state.prefill, target.row, row => endPrefill(state, row, job, outcome)),
      }
    case 'cell':
      return { ...next, cells: replace(state.cells, target.cell, cell => endPass(state, cell, job, outcome)) }
    case 'final-drain':
      return { ...next, drainedAtEnd: job.drained === true }
    default:
      return target satisfies never
  }
}

/** A run ends early when its first requests fail, or when two jobs in a row cannot reach the server. */
function fatality(state: RunState, job: Job, outcome: JobOutcome): Pick<RunState, 'unreachable' | 'fatal'> {
  if (outcome.kind !== 'failed') return { unreachable: 0, fatal: null }
  const unreachable = outcome.failure.kind === 'connect' ? state.unreachable + 1 : 0
  const isFatal = job.target.kind === 'calibrate' || unreachable >= unreachableLimit
  return { unreachable, fatal: isFatal ? outcome.failure : null }
}

function endPrefill(state: RunState, row: PrefillState, job: Job, outcome: JobOutcome): PrefillState {
  const summary = summarizePrefill(job.prefillSamples)
  switch (outcome.kind) {
    case 'done':
      if (summary === null) return { ...row, status: 'failed', reasons: [{ kind: 'no-tokens' }] }
      return endRow(state, row, summary, job)
    case 'failed':
      return {
        ...row,
        summary,
        status: 'failed',
        reasons: [{ kind: 'failed', message: describeFailure(outcome.failure) }],
      }
    case 'skipped':
      return { ...row, summary, status: 'skipped' }
    case 'interrupted':
      return { ...row, summary, status: 'not-run' }
    case 'given-up':
      return { ...row, status: 'planned' }
    default:
      return outcome satisfies never
  }
}

function endRow(state: RunState, row: PrefillState, summary: PrefillSummary, job: Job): PrefillState {
  const foreign = [...(job.drained === false ? [notDrained(job)] : []), ...foreignInRow(job)]
  const status = foreign.length > 0 ? 'invalid' : 'valid'
  return {
    ...row,
    summary,
    status,
    reasons: [...foreign, ...cacheHits(job), ...unknownLength(state, summary.samples)],
  }
}

/** Lengths are guesses where neither calibration nor these were told any. */
function unknownLength(
  { promptFit }: RunState,
  requests: readonly Pick<RequestTrace, 'promptTokens'>[],
): Reason[] {
  const isKnown = promptFit !== null || requests.some(({ promptTokens }) => promptTokens !== null)
  return isKnown ? [] : [{ kind: 'prompt-length-unknown' }]
}

function endPass(state: RunState, cell: CellState, job: Job, outcome: JobOutcome): CellState {
  if (outcome.kind === 'given-up') return job.cellBefore ?? cell
  const ended = endCell(state, cell, job, outcome)
  if (cell.earlier === null) return ended
  const isCutShort = outcome.kind === 'skipped' || outcome.kind === 'interrupted'
  return isCutShort ? { ...ended, ...cell.earlier, earlier: null } : endRetry(ended, cell.earlier)
}

function endCell(
  state: RunState,
  cell: CellState,
  job: Job,
  outcome: Exclude<JobOutcome, { kind: 'given-up' }>,
): CellState {
  const slo = state.run?.options.slo ?? { ttftMs: null, itlMs: null }
  const { concurrency } = cell.plan
  const pass = passOf(job)
  switch (outcome.kind) {
    case 'done': {
      if (pass === null) return { ...cell, status: 'failed', reasons: [{ kind: 'no-tokens' }] }
      const passes = [...cell.passes, pass]
      const summary = summarizeCell(passes, concurrency, slo)
      const verdict = judgeCell(summary, passes, concurrency, [
        ...evidence(state, cell, passes),
        ...(job.drained === false ? [notDrained(job)] : []),
      ])
      return { ...cell, ...verdict, summary, passes }
    }
    case 'failed': {
      const failed: Reason = { kind: 'failed', message: describeFailure(outcome.failure) }
      if (cell.summary === null) return { ...cell, status: 'failed', reasons: [failed, ...earlier(cell)] }
      const known = [...evidence(state, cell, cell.passes), { ...failed, kind: 'pass-failed' } as const]
      return { ...cell, ...judgeCell(cell.summary, cell.passes, concurrency, known) }
    }
    case 'skipped':
    case 'interrupted': {
      // An earlier pass of a repeated cell stands; what this one had is kept apart.
      const partial = pass === null ? null : summarizeCell([pass], concurrency, slo)
      if (cell.summary !== null)
        return {
          ...cell,
          ...judgeCell(cell.summary, cell.passes, concurrency, evidence(state, cell, cell.passes)),
          partial,
        }
      return { ...cell, status: outcome.kind === 'skipped' ? 'skipped' : 'not-run', partial }
    }
    default:
      return outcome satisfies never
  }
}

/** The streams and the samples that were taken since the cell was warm. */
function passOf({ counts, traces, samples, hardwareSamples }: Job): CellPass | null {
  if (counts === null || counts.window.to <= counts.window.from) return null
  const warmAt = max(traces.filter(({ purpose }) => purpose === 'warm').map(({ endedAt }) => endedAt))
  return {
    counts,
    samples: samples.filter(({ at, tookMs }) => warmAt === null || at - tookMs >= warmAt),
    traces: traces.filter(({ purpose }) => purpose === 'launch' || purpose === 'steady'),
    hardwareSamples,
  }
}

/** What is known of a cell beside the figures of its windows. */
function evidence(state: RunState, cell: CellState, passes: readonly CellPass[]): readonly Reason[] {
  const { run, server, cacheTold } = state
  const { fit } = cell.plan
  const tight: readonly Reason[] =
    fit.kind === 'tight'
      ? [{ kind: 'kv-tight', needed: fit.limit.needed, available: fit.limit.available }]
      : []
  return [
    ...earlier(cell),
    ...tight,
    ...unknownLength(
      state,
      passes.flatMap(({ traces }) => traces),
    ),
    ...foreignPrompts(passes, cacheTold),
    ...coldCache(passes, server, cacheTold),
    ...(run?.options.respectEos === false ? endedEarly(passes) : []),
  ]
}

/** What earlier passes have shown beside their windows; it stays with the cell as they do. */
function earlier({ reasons }: CellState): readonly Reason[] {
  return reasons
    .filter(reason =>
      reason.kind === 'foreign-load'
        ? reason.detail === 'not-drained'
        : reason.kind === 'failed' || reason.kind === 'pass-failed' || reason.kind === 'retried',
    )
    .map(reason => (reason.kind === 'failed' ? { ...reason, kind: 'pass-failed' } : reason))
}

function notDrained({ foreignRunning }: Job): Reason {
  return { kind: 'foreign-load', detail: 'not-drained', running: foreignRunning }
}

function replace<T>(items: readonly T[], index: number, change: (item: T) => T): readonly T[] {
  return items.map((item, at) => (at === index ? change(item) : item))
}
