import { type LiveCourse, type LiveLoad, liveCourse, liveLoad } from '../domain/live.ts'
import { isPaused } from '../domain/next-step.ts'
import { samplesMissing } from '../domain/prefill-row.ts'
import type { Job, RunState } from '../domain/run-state.ts'
import { contextName, count } from '../format/units.ts'
import { windowShare } from './select-grid.ts'

/** What the run does at this moment, in words and figures. */
export type NowView = {
  readonly target: string
  readonly doing: string
  /** In this phase, seconds. */
  readonly seconds: number | null
  /** Progress of the window: 0..1 and in whole seconds. */
  readonly window: { readonly share: number; readonly passed: string; readonly total: string } | null
  readonly load: LiveLoad | null
  readonly wanted: number | null
  readonly ttftMs: number | null
  readonly course: LiveCourse | null
}

const bucketMs = 1000
const idle = { seconds: null, window: null, load: null, wanted: null, ttftMs: null, course: null }

export function selectNow(state: RunState, now: number): NowView {
  const { job } = state
  if (state.ending !== null) return { ...idle, target: '', doing: `the run has ended: ${state.ending.kind}` }
  if (state.server === null) return { ...idle, target: '', doing: 'connecting to the server' }
  if (isPaused(state)) return { ...idle, target: '', doing: 'paused: p goes on' }
  if (job === null) return { ...idle, target: '', doing: 'getting ready' }
  const streams = job.target.kind === 'cell' ? (state.cells[job.target.cell]?.plan.concurrency ?? null) : null
  const load = streams === null ? null : liveLoad(job.ticks)
  const course = load === null ? null : liveCourse(job.ticks, bucketMs)
  return {
    target: targetName(state, job),
    doing: doing(state, job, streams),
    seconds: (now - job.phaseSince) / 1000,
    window: windowView(job, now),
    load,
    wanted: streams,
    ttftMs: course?.ttftMs.findLast(value => value !== null) ?? null,
    course,
  }
}

/** The work as a short name: `32K × 8`, `prefill 32K`. */
export function targetName(state: RunState, { target }: Pick<Job, 'target'>): string {
  switch (target.kind) {
    case 'calibrate':
      return 'calibration'
    case 'prefill':
      return `prefill ${contextName(state.prefill[target.row]?.plan.contextTokens ?? null)}`
    case 'cell': {
      const plan = state.cells[target.cell]?.plan
      return plan === undefined ? 'cell' : `${contextName(plan.contextTokens)} × ${plan.concurrency}`
    }
    case 'final-drain':
      return 'end'
    default:
      return target satisfies never
  }
}

function doing(state: RunState, job: Job, streams: number | null): string {
  if (state.stopAsked && job.target.kind !== 'final-drain') return 'stopping: closing the streams'
  switch (job.phase) {
    case 'drain':
      return busy(job) ?? 'waiting until the server is idle'
    case 'requests':
      return request(state, job)
    case 'launch': {
      const started = job.ticks.at(-1)?.started ?? 0
      return started < (streams ?? 0)
        ? `waiting for first tokens: ${started} of ${streams}`
        : `waiting until the server runs all ${streams}`
    }
    case 'settle':
      return 'all streams run, settling'
    case 'window':
      return 'measuring'
    case 'close':
      return 'closing the streams'
    default:
      return job.phase satisfies never
  }
}

function busy({ samples }: Job): string | null {
  const latest = samples.at(-1)
  if (latest === undefined || latest.running === null || latest.running === 0) return null
  return `server busy: ${count(latest.running)} running, ${count(latest.queued)} queued`
}

function request(state: RunState, job: Job): string {
  switch (job.target.kind) {
    case 'calibrate':
      return 'learning prompt lengths'
    case 'prefill': {
      const context = state.prefill[job.target.row]?.plan.contextTokens ?? 0
      const done = job.prefillSamples.length
      const total =
        done + samplesMissing(context, job.prefillSamples, state.run?.options.prefillSamples ?? null)
      return done + job.warmUps === 0 && total > 1
        ? 'reading a first prompt to warm up'
        : `reading cold prompt ${Math.min(done + 1, total)} of ${total}`
    }
    case 'cell':
      return 'warming the prompts'
    case 'final-drain':
      return 'waiting'
    default:
      return job.target satisfies never
  }
}

function windowView(job: Job, now: number): NowView['window'] {
  const share = windowShare(job, now)
  if (share === null || job.window === null) return null
  const seconds = (job.window.to - job.window.from) / 1000
  return { share, passed: (share * seconds).toFixed(0), total: seconds.toFixed(0) }
}
