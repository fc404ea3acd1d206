import { mayBeEvicted } from './eviction.ts'
import type { RequestFailure } from './failure.ts'
import { needsWarmUp, samplesMissing } from './prefill-row.ts'
import { calibrationChars, decodePrompt, missesLength, prefillPrompt } from './prompt-plan.ts'
import type { RunOptions } from './run-options.ts'
import type { CellState, Job, PrefillState, RunState } from './run-state.ts'
import { staggeredLengths } from './stagger.ts'
import { jobDone, type Step } from './step.ts'

/** Prompts are warmed few at a time: many at once would only queue. */
const warmAtOnce = 4
/** The first batch, and two that correct lengths. */
const warmBatches = 3
/** Prefill requests of one row that may fail, or end without a token, before the row is given up. */
const fruitlessLimit = 2
/** Enough tokens to see how the server reports usage; and, where only at the end, how many a chunk holds. */
const calibrationTokens = { usage: 8, chunks: 64 }

const noToken: RequestFailure = { kind: 'protocol', message: 'the answers held no output token' }

/** The next batch of single requests of a job whose server is idle, or what comes after the last batch. */
export function requestsStep(state: RunState, options: RunOptions, job: Job): Step {
  const { target } = job
  switch (target.kind) {
    case 'calibrate':
      return calibrate(state, options, job)
    case 'prefill': {
      const row = state.prefill[target.row]
      return row === undefined ? jobDone : prefill(state, options, job, row)
    }
    case 'cell': {
      const cell = state.cells[target.cell]
      return cell === undefined ? jobDone : warmOrLaunch(state, options, job, cell, target.cell)
    }
    case 'final-drain':
      return jobDone
    default:
      return target satisfies never
  }
}

/**
 * Two prompts of different length: how many tokens a character makes here, and how the server counts. Then, where it counts
 * only at the end, a longer answer: what the chunks of a stream are worth that is cut off before.
 */
function calibrate(state: RunState, { maxOutputTokens }: RunOptions, job: Job): Step {
  const [chars] = calibrationChars(state.server?.limits.contextTokens ?? null)
  if (job.traces.length > 0) {
    const isCountedLate = job.traces.some(({ counting }) => counting === 'final-usage')
    if (!isCountedLate || job.warmUps > 0) return jobDone
    const maxTokens = Math.min(calibrationTokens.chunks, maxOutputTokens)
    const prompt = { stream: 0, cold: state.coldPrompts, chars }
    return { do: 'send', atOnce: 1, requests: [{ purpose: 'warm', prompt, maxTokens }] }
  }
  const lengths = calibrationChars(state.server?.limits.contextTokens ?? null)
  return {
    do: 'send',
    atOnce: 1,
    requests: lengths.map((chars, index) => ({
      purpose: 'calibrate',
      prompt: { stream: 0, cold: state.coldPrompts + index, chars },
      maxTokens: calibrationTokens.usage,
    })),
  }
}

function prefill(
  state: RunState,
  options: RunOptions,
  job: Job,
  { plan: { contextTokens } }: PrefillState,
): Step {
  const isWarmUp = needsWarmUp(contextTokens) && job.warmUps === 0
  if (!isWarmUp && samplesMissing(contextTokens, job.prefillSamples, options.prefillSamples) === 0)
    return jobDone
  const asked = job.traces.filter(({ purpose }) => purpose === 'prefill').length
  if (asked - job.prefillSamples.length >= fruitlessLimit)
    return { do: 'end-job', outcome: { kind: 'failed', failure: job.lastFailure ?? noToken } }
  const limit = state.server?.limits.contextTokens ?? null
  const prompt = prefillPrompt(contextTokens, state.coldPrompts, limit, state)
  return {
    do: 'send',
    atOnce: 1,
    requests: [{ purpose: isWarmUp ? 'warm' : 'prefill', prompt, maxTokens: 1 }],
  }
}

function warmOrLaunch(state: RunState, options: RunOptions, job: Job, cell: CellState, index: number): Step {
  const { contextTokens, concurrency } = cell.plan
  const prompts = Array.from({ length: concurrency }, (_, stream) =>
    decodePrompt(contextTokens, stream, options, state),
  )
  const cold = promptsToWarm(state, options, job, cell).flatMap(stream => prompts.slice(stream, stream + 1))
  if (cold.length > 0)
    return {
      do: 'send',
      atOnce: warmAtOnce,
      requests: cold.map(prompt => ({ purpose: 'warm', prompt, maxTokens: 1 })),
    }
  const seed = options.seed * 1_000_003 + index * 101 + cell.attempts
  const lengths = staggeredLengths(concurrency, options.maxOutputTokens, seed)
  return {
    do: 'launch',
    maxTokens: options.maxOutputTokens,
    streams: prompts.map((prompt, stream) => ({
      prompt,
      firstMaxTokens: lengths[stream] ?? options.maxOutputTokens,
    })),
  }
}

/**
 * Streams whose prompt the server has not seen yet, or has seen at a length that missed the context. Earlier ones that
 * it may have evicted are touched before the new ones, so that it evicts what is no longer needed; when one of those was
 * gone, all are sent once more, for its warm-up may have cost another its place.
 */
function promptsToWarm(
  state: RunState,
  options: RunOptions,
  job: Job,
  { plan }: CellState,
): readonly number[] {
  const { contextTokens, concurrency } = plan
  const wanted = options.prompts === 'shared' ? 1 : concurrency
  const warmed = state.warmedStreams[contextTokens] ?? 0
  if (job.warmUps === 0) {
    const first = options.prompts === 'unique' && mayBeEvicted(state) ? 0 : warmed
    return Array.from({ length: Math.max(0, wanted - first) }, (_, index) => first + index)
  }
  if (job.warmUps === 1 && job.lostPrompt) return Array.from({ length: wanted }, (_, stream) => stream)
  if (job.warmUps >= warmBatches) return []
  const latest = new Map(
    job.traces.filter(({ purpose }) => purpose === 'warm').map(trace => [trace.stream, trace]),
  )
  return [...latest.values()].filter(trace => missesLength(contextTokens, trace)).map(({ stream }) => stream)
}
