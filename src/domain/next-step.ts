import { isIdle, isMute } from './drain.ts'
import type { JobOutcome } from './events.ts'
import { describeFailure } from './failure.ts'
import { isDead, isHopeless, isLatched, readyTimeoutMs } from './ready.ts'
import { requestsStep } from './requests-step.ts'
import { redoOf, retryOf } from './retry.ts'
import type { RunOptions } from './run-options.ts'
import type { CellState, Job, RunState } from './run-state.ts'
import { jobDone, type Step } from './step.ts'

/** How often the server is looked at: at rest, and while a decision waits for it. */
const sampleEveryMs = { calm: 1000, waiting: 200 }
/** Window edges are announced ahead, so that every load thread counts exactly within them. */
const announceMs = 100
/** The window's last ticks come in before the streams are closed. */
const closeAfterMs = 50
const settleMs = 1000
/** A server that did not drain once, or a run that is to stop, is waited for only this long. */
const impatientDrainMs = 5000

/** The whole scheduling policy: a pure function from what is known to what is to be done. */
export function nextStep(state: RunState, now: number): Step {
  const { run, server, job } = state
  if (run === null || server === null) return calm(Number.POSITIVE_INFINITY)
  if (job === null) return nextJob(state, run.options)
  return interruption(state, job) ?? phaseStep(state, run.options, job, now)
}

function nextJob(state: RunState, options: RunOptions): Step {
  if (state.fatal !== null) return { do: 'end-run', ending: 'aborted', message: describeFailure(state.fatal) }
  if (isPaused(state)) return calm(Number.POSITIVE_INFINITY)
  const row = state.prefill.findIndex(({ status }) => status === 'planned')
  const cell = nextCell(state.cells, options)
  if (!state.stopAsked && (row >= 0 || cell >= 0)) {
    if (!state.loadSent) return { do: 'start-job', target: { kind: 'calibrate' } }
    return { do: 'start-job', target: row >= 0 ? { kind: 'prefill', row } : { kind: 'cell', cell } }
  }
  if (state.loadSent && state.drainedAtEnd === null)
    return { do: 'start-job', target: { kind: 'final-drain' } }
  return { do: 'end-run', ending: state.stopAsked ? 'stopped' : 'completed', message: null }
}

/** Whether the run waits for the operator: asked to pause, and what was under way has ended. */
export function isPaused({ pauseAsked, stopAsked, job, ending }: RunState): boolean {
  return pauseAsked && !stopAsked && job === null && ending === null
}

/**
 * What the operator wants anew; else the cell with the fewest passes so far, in the order of the plan: repeats are
 * spread over the run. When all have theirs, the first that is to be measured once more. -1: none.
 */
function nextCell(cells: readonly CellState[], options: RunOptions): number {
  const redo = cells.findIndex(cell => redoOf(cell) !== null)
  if (redo >= 0) return redo
  const open = cells
    .map((cell, index) => ({ ...cell, index }))
    .filter(
      ({ status, attempts }) =>
        status === 'planned' || (attempts > 0 && attempts < options.repeat && status !== 'skipped'),
    )
  const fewest = Math.min(...open.map(({ attempts }) => attempts))
  const next = open.find(({ attempts }) => attempts === fewest)
  return next?.index ?? cells.findIndex(cell => retryOf(cell, options) !== null)
}

/** What an operator's «stop», «skip» or «redo» asks for now; `null`: nothing, or it is already under way. */
function interruption(state: RunState, job: Job): Step | null {
  if (job.phase === 'close' || job.target.kind === 'final-drain') return null
  const outcome = askedOutcome(state, job)
  if (outcome === null || (job.target.kind === 'calibrate' && !state.stopAsked)) return null
  const loaded = job.phase !== 'drain' && !(job.phase === 'requests' && job.requestsEnded)
  return loaded ? { do: 'close' } : { do: 'end-job', outcome }
}

/** How the operator wants the job to end; stopping goes before skipping, skipping before doing anew. */
function askedOutcome(state: RunState, { skipAsked, redoAsked }: Job): JobOutcome | null {
  if (state.stopAsked) return { kind: 'interrupted' }
  if (skipAsked) return { kind: 'skipped' }
  return redoAsked ? { kind: 'given-up' } : null
}

function phaseStep(state: RunState, options: RunOptions, job: Job, now: number): Step {
  switch (job.phase) {
    case 'drain':
      return drainStep(state, options, job, now)
    case 'requests':
      return job.requestsEnded ? afterRequests(state, options, job) : calm(Number.POSITIVE_INFINITY)
    case 'launch':
      return launchStep(state, job, now)
    case 'settle':
      return now < job.phaseSince + settleMs ? calm(job.phaseSince + settleMs) : openWindow(options, now)
    case 'window':
      return windowStep(state, job, now)
    case 'close':
      return job.closed ? { do: 'end-job', outcome: outcomeOf(state, job) } : calm(Number.POSITIVE_INFINITY)
    default:
      return job.phase satisfies never
  }
}

function drainStep(state: RunState, options: RunOptions, job: Job, now: number): Step {
  if (state.server === null) return jobDone
  if (job.drained !== null) return requestsStep(state, options, job)
  const deadline = job.phaseSince + drainTimeoutMs(state, options)
  const idle = isIdle(state.server.features, job)
  if (idle || now >= deadline || isMute(job, now)) return { do: 'end-drain', drained: idle }
  return { do: 'wait', until: deadline, sampleEveryMs: sampleEveryMs.waiting }
}

function drainTimeoutMs(state: RunState, options: RunOptions): number {
  const full = options.drainTimeoutSeconds * 1000
  return state.drainFailures === 0 && !state.stopAsked ? full : Math.min(impatientDrainMs, full)
}

function afterRequests(state: RunState, options: RunOptions, job: Job): Step {
  const allFailed = job.traces.length > 0 && job.failures >= job.traces.length
  if (!allFailed || job.lastFailure === null) return requestsStep(state, options, job)
  return { do: 'end-job', outcome: { kind: 'failed', failure: job.lastFailure } }
}

function launchStep(state: RunState, job: Job, now: number): Step {
  const cell = cellOf(state, job)
  if (cell === null || isHopeless(job, cell.plan.concurrency)) return { do: 'close' }
  const deadline = job.phaseSince + readyTimeoutMs(state, cell)
  if (isLatched(job, cell.plan.concurrency) || now >= deadline) return { do: 'enter', phase: 'settle' }
  return { do: 'wait', until: deadline, sampleEveryMs: sampleEveryMs.waiting }
}

/** Series get finer points in short windows. Edges are whole ms, so that rounding leaves no sliver of a slice. */
function openWindow({ durationSeconds }: RunOptions, now: number): Step {
  const durationMs = Math.max(1, Math.round(durationSeconds * 1000))
  const sliceMs = durationMs >= 10_000 ? 1000 : Math.max(50, Math.ceil(durationMs / 10))
  const from = Math.ceil(now + announceMs)
  return { do: 'open-window', window: { from, to: from + durationMs, sliceMs } }
}

function windowStep(state: RunState, job: Job, now: number): Step {
  const concurrency = cellOf(state, job)?.plan.concurrency ?? 1
  const end = (job.window?.to ?? now) + closeAfterMs
  if (now >= end || isDead(job, concurrency)) return { do: 'close' }
  return { do: 'wait', until: end, sampleEveryMs: windowPace(state, job) }
}

/** About 30 looks in a window, so that one of them weighs little; where a look means the whole metrics page, one a second. */
function windowPace({ server }: RunState, { window }: Job): number {
  if (window === null || server === null || !server.features.loads) return sampleEveryMs.calm
  return Math.min(sampleEveryMs.calm, Math.max(sampleEveryMs.waiting, (window.to - window.from) / 30))
}

/** A window that reached its announced end counts, whatever was asked meanwhile, but for a redo. */
function outcomeOf(state: RunState, job: Job): JobOutcome {
  const asked = askedOutcome(state, job)
  if (asked?.kind === 'given-up') return asked
  if (job.window !== null && job.counts !== null && job.counts.window.to >= job.window.to)
    return { kind: 'done' }
  return (
    asked ?? {
      kind: 'failed',
      failure: job.lastFailure ?? { kind: 'protocol', message: 'the streams ended before the window did' },
    }
  )
}

function cellOf(state: RunState, job: Job): CellState | null {
  return job.target.kind === 'cell' ? (state.cells[job.target.cell] ?? null) : null
}

function calm(until: number): Step {
  return { do: 'wait', until, sampleEveryMs: sampleEveryMs.calm }
}
