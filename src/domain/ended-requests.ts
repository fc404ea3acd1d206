import { hasLostPrompt } from './cache-check.ts'
import { prefillSample } from './prefill-row.ts'
import { coldFit, correctedFits, fitPromptLength } from './prompt-plan.ts'
import { type RequestTrace, ttftMs } from './request-trace.ts'
import { inJob, type Job, type RunState } from './run-state.ts'
import { known, min } from './statistics.ts'

/** The state after a batch of single requests: what they taught of lengths, times and the cache, and what is warm now. */
export function requestsEnded(state: RunState, traces: readonly RequestTrace[]): RunState {
  const { job } = state
  if (job === null) return state
  const cold = job.target.kind !== 'cell'
  const warm = traces.filter(({ purpose, outcome }) => purpose === 'warm' && outcome.kind === 'completed')
  const samples = known(traces.filter(({ purpose }) => purpose === 'prefill').map(completedSample))
  const told = toldOf(state, traces)
  const next = inJob(told, () => ({
    requestsEnded: true,
    lostPrompt:
      !cold &&
      job.warmUps === 0 &&
      hasLostPrompt(touched(state, job, warm), job.samples, state.server, told.cacheTold),
    warmUps: job.warmUps + (traces.some(({ purpose }) => purpose === 'warm') ? 1 : 0),
    prefillSamples: [...job.prefillSamples, ...samples],
    ...withTraces(job, traces),
  }))
  return {
    ...learned(next, traces),
    readMs: readTimes(state, job, traces),
    coldPrompts: state.coldPrompts + (cold ? traces.length : 0),
    ...(cold ? { coldFit: coldFit(state, traces) } : warmed(state, job, warm)),
  }
}

/** What calibration teaches: tokens for each character, and whether every chunk tells the usage. */
function learned(state: RunState, traces: readonly RequestTrace[]): RunState {
  const calibration = traces.filter(
    ({ purpose, outcome }) => purpose === 'calibrate' && outcome.kind === 'completed',
  )
  if (calibration.length === 0 || state.server === null) return state
  const continuousUsage = calibration.every(({ counting }) => counting === 'continuous-usage')
  return {
    ...state,
    promptFit: fitPromptLength(calibration),
    server: { ...state.server, features: { ...state.server.features, continuousUsage } },
  }
}

function completedSample(trace: RequestTrace) {
  return trace.outcome.kind === 'completed' ? prefillSample(trace) : null
}

/** The fastest of a batch had the server to itself. */
function readTimes(state: RunState, job: Job, traces: readonly RequestTrace[]): RunState['readMs'] {
  const contextTokens = contextOf(state, job)
  const fastest = min(known(traces.map(ttftMs)))
  if (contextTokens === null || fastest === null) return state.readMs
  return { ...state.readMs, [contextTokens]: fastest }
}

function contextOf({ prefill, cells }: RunState, { target }: Job): number | null {
  if (target.kind === 'prefill') return prefill[target.row]?.plan.contextTokens ?? null
  return target.kind === 'cell' ? (cells[target.cell]?.plan.contextTokens ?? null) : null
}

/** A first batch adds the streams that are new in it; later ones only correct the lengths of these. */
function warmed(state: RunState, job: Job, traces: readonly RequestTrace[]): Partial<RunState> {
  const contextTokens = contextOf(state, job)
  if (contextTokens === null) return {}
  const before = state.warmedStreams[contextTokens] ?? 0
  const added = job.warmUps === 0 ? traces.filter(({ stream }) => stream >= before).length : 0
  return {
    warmedStreams: { ...state.warmedStreams, [contextTokens]: before + added },
    streamFits: correctedFits(state, contextTokens, traces),
  }
}

/** Requests for prompts that the server had read before this cell. */
function touched(state: RunState, job: Job, traces: readonly RequestTrace[]): readonly RequestTrace[] {
  const before = state.warmedStreams[contextOf(state, job) ?? 0] ?? 0
  return traces.filter(({ stream }) => stream < before)
}

/** The state that knows whether the server tells of cached tokens. */
export function toldOf(state: RunState, traces: readonly RequestTrace[]): RunState {
  return state.cacheTold || traces.every(({ cachedTokens }) => cachedTokens === null)
    ? state
    : { ...state, cacheTold: true }
}

/** The job's traces and failures with these. */
export function withTraces(
  job: Job,
  traces: readonly RequestTrace[],
): Pick<Job, 'traces' | 'failures' | 'lastFailure'> {
  const failures = known(traces.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.failure : null)))
  return {
    traces: traces.length === 0 ? job.traces : [...job.traces, ...traces],
    failures: job.failures + failures.length,
    lastFailure: failures.at(-1) ?? job.lastFailure,
  }
}
