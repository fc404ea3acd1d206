import { endJob } from './end-job.ts'
import { requestsEnded, toldOf, withTraces } from './ended-requests.ts'
import type { Ask, RunEvent } from './events.ts'
import { askRedo, beginRetry, redoOf, retryOf } from './retry.ts'
import {
  type CellState,
  initialState,
  inJob,
  type Job,
  type PrefillState,
  type RunState,
} from './run-state.ts'
import { restartedAt } from './server-figures.ts'
import { takeOver } from './taken-over.ts'

/** Samples kept for the history on screen: ten minutes of the server at one each second, three or more of the hardware. */
const samplesKept = 600
const historyKept = 1000
const unremarkable: ReadonlySet<string> = new Set(['server-sampled', 'hardware-sampled', 'load-ticked'])

/** The state after one more event. Pure: never reads a clock; replaying a log gives the same state. */
export function reduceRun(state: RunState, event: RunEvent): RunState {
  const next = fold(state, event)
  if (unremarkable.has(event.kind)) return next
  const history = [...next.history, event].slice(-historyKept)
  if (event.kind !== 'job-ended' || state.job === null) return { ...next, history }
  const ended = { target: state.job.target, result: resultOf(next, state.job.target) }
  return { ...next, history, endedJobs: [...state.endedJobs, ended].slice(-historyKept) }
}

function resultOf({ cells, prefill }: RunState, target: Job['target']): CellState | PrefillState | null {
  if (target.kind === 'prefill') return prefill[target.row] ?? null
  return target.kind === 'cell' ? (cells[target.cell] ?? null) : null
}

/** The state after all of these events. */
export function foldRun(events: Iterable<RunEvent>): RunState {
  let state = initialState
  for (const event of events) state = reduceRun(state, event)
  return state
}

function fold(state: RunState, event: RunEvent): RunState {
  switch (event.kind) {
    case 'run-started': {
      const { runId: id, at: startedAt, wallTime, command, options, promptSet } = event
      return { ...state, run: { id, startedAt, wallTime, command, options, promptSet } }
    }
    case 'server-connected':
      return { ...state, server: event.server }
    case 'matrix-planned': {
      const runs = (fit: { kind: string }) => fit.kind !== 'over' || state.run?.options.force === true
      return {
        ...state,
        prefill: event.plan.prefill.map(plan => ({
          plan,
          status: runs(plan.fit) ? 'planned' : 'over-capacity',
          reasons: [],
          summary: null,
        })),
        cells: event.plan.cells.map(plan => ({
          plan,
          status: runs(plan.fit) ? 'planned' : 'over-capacity',
          reasons: [],
          summary: null,
          partial: null,
          passes: [],
          earlier: null,
          attempts: 0,
          redoAsked: false,
        })),
      }
    }
    case 'results-taken-over':
      return takeOver(state, event.taken)
    case 'server-sampled': {
      const samples = [...state.samples, event.sample].slice(-samplesKept)
      return {
        ...inJob(state, job => ({ samples: [...job.samples, event.sample] })),
        samples,
        serverRestartedAt: restartedAt(samples) ?? state.serverRestartedAt,
      }
    }
    case 'hardware-found':
      return { ...state, hardware: event.hardware }
    case 'hardware-sampled':
      return {
        ...inJob(state, job => ({ hardwareSamples: [...job.hardwareSamples, event.sample] })),
        hardwareSamples: [...state.hardwareSamples, event.sample].slice(-samplesKept),
      }
    case 'job-started': {
      const started = startJob(state, event.target, event.at)
      if (event.target.kind === 'prefill')
        return { ...started, prefill: running(state.prefill, event.target.row) }
      if (event.target.kind !== 'cell') return started
      const index = event.target.cell
      return { ...started, cells: state.cells.map((cell, at) => (at === index ? begun(state, cell) : cell)) }
    }
    case 'drain-ended':
      return {
        ...inJob(state, job => ({
          drained: event.drained,
          foreignRunning: latestRunning(job),
        })),
        drainFailures: state.drainFailures + (event.drained ? 0 : 1),
      }
    case 'phase-entered': {
      const { phase, at } = event
      const next = inJob(state, () => ({ phase, phaseSince: at, requestsEnded: false }))
      return { ...next, loadSent: state.loadSent || phase === 'requests' || phase === 'launch' }
    }
    case 'requests-ended':
      return requestsEnded(state, event.traces)
    case 'load-ticked':
      return inJob(toldOf(state, event.tick.ended), job => ({
        ticks: [...job.ticks, event.tick],
        ...withTraces(job, event.tick.ended),
      }))
    case 'window-announced':
      return inJob(state, () => ({ phase: 'window', phaseSince: event.at, window: event.window }))
    case 'streams-closed':
      return inJob(toldOf(state, event.cutOff), job => ({
        closed: true,
        counts: event.counts,
        ...withTraces(job, event.cutOff),
      }))
    case 'job-ended':
      return endJob(state, event.outcome)
    case 'asked':
      return ask(state, event.ask)
    case 'run-ended':
      return {
        ...state,
        ending: { kind: event.ending, at: event.at, wallTime: event.wallTime, message: event.message },
      }
    default:
      return event satisfies never
  }
}

function begun({ run }: RunState, cell: CellState): CellState {
  const next: CellState = { ...cell, status: 'running', attempts: cell.attempts + 1, redoAsked: false }
  const redo = redoOf(cell)
  if (redo !== null) return beginRetry({ ...next, attempts: 1 }, redo)
  const earlier = run === null ? null : retryOf(cell, run.options)
  return earlier === null ? next : beginRetry(next, earlier)
}

/** After the last look at the server a cell may be wanted anew: then that look has to be taken once more. */
function startJob(state: RunState, target: Job['target'], at: number): RunState {
  const cellBefore = target.kind === 'cell' ? (state.cells[target.cell] ?? null) : null
  return { ...state, job: { ...newJob(target, at), cellBefore }, drainedAtEnd: null }
}

function newJob(target: Job['target'], at: number): Job {
  return {
    target,
    startedAt: at,
    phase: 'drain',
    phaseSince: at,
    drained: null,
    foreignRunning: null,
    requestsEnded: false,
    traces: [],
    prefillSamples: [],
    warmUps: 0,
    lostPrompt: false,
    ticks: [],
    samples: [],
    hardwareSamples: [],
    failures: 0,
    lastFailure: null,
    window: null,
    counts: null,
    closed: false,
    skipAsked: false,
    redoAsked: false,
    cellBefore: null,
  }
}

function latestRunning({ samples }: Job): number | null {
  return samples.findLast(({ running }) => running !== null)?.running ?? null
}

function ask(state: RunState, wish: Ask): RunState {
  if (typeof wish === 'object') return askRedo(state, wish.cell)
  switch (wish) {
    case 'stop':
      return { ...state, stopAsked: true }
    case 'skip-cell':
      return inJob(state, () => ({ skipAsked: true }))
    case 'pause':
    case 'resume':
      return { ...state, pauseAsked: wish === 'pause' }
    default:
      return wish satisfies never
  }
}

function running<T extends { readonly status: string }>(items: readonly T[], index: number): readonly T[] {
  return items.map((item, at) => (at === index ? { ...item, status: 'running' } : item))
}
