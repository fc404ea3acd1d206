import { type CellPass, type CellSummary, samplesInWindow } from './cell-summary.ts'
import { describeFailure } from './failure.ts'
import { foreignLoad } from './foreign-load.ts'
import type { ClientHealth } from './load-record.ts'
import { stalledStreams, unsteady } from './pace.ts'
import { isWaiting } from './request-trace.ts'
import { freshest } from './server-figures.ts'
import { seenAt } from './server-sample.ts'
import { known, mean } from './statistics.ts'

/** The one status of a cell that came to its end; `invalid` was measured and must not be compared. */
export type CellStatus =
  | 'valid'
  | 'requests-queued'
  | 'over-capacity'
  | 'invalid'
  | 'failed'
  | 'skipped'
  | 'not-run'

/** Why a cell has its status, or what a reader should know of it, each with its numbers. */
export type Reason =
  | {
      readonly kind: 'requests-queued'
      readonly queuedShare: number | null
      readonly meanInFlight: number | null
      readonly wanted: number
    }
  | { readonly kind: 'foreign-load'; readonly detail: 'not-drained'; readonly running: number | null }
  /** Others' requests ran beside ours inside the window: means over the samples that show it. */
  | {
      readonly kind: 'foreign-load'
      readonly detail: 'in-window'
      readonly running: number
      readonly ours: number
      readonly seconds: number
    }
  | {
      readonly kind: 'client-limited' | 'client-busy'
      readonly loopDelayP99Ms: number | null
      readonly loopUtilisation: number | null
    }
  /** The server made or read more tokens than those of our requests. */
  | {
      readonly kind: 'foreign-load'
      readonly detail: 'tokens'
      readonly agreement: number
      readonly tolerance: number
    }
  /** The server made fewer tokens than we got, which cannot be; or not those that estimates of ours say. */
  | { readonly kind: 'accounting-mismatch'; readonly agreement: number; readonly tolerance: number }
  | { readonly kind: 'unsteady'; readonly firstMs: number; readonly lastMs: number }
  | {
      readonly kind: 'streams-stalled'
      readonly streams: number
      readonly of: number
      readonly longestMs: number
    }
  | { readonly kind: 'retracted'; readonly retractions: number }
  | {
      readonly kind: 'requests-failed'
      readonly failed: number
      readonly started: number
      readonly example: string
    }
  | { readonly kind: 'no-tokens' }
  | { readonly kind: 'tokens-estimated'; readonly counting: 'final-usage' | 'chunks' }
  | { readonly kind: 'kv-tight'; readonly needed: number; readonly available: number }
  /** A prompt that should have been cold; the mean of several where only counters tell. */
  | { readonly kind: 'cache-hit'; readonly cachedTokens: number; readonly promptTokens: number | null }
  /** Prompts that should have been cached and were computed. */
  | {
      readonly kind: 'cache-cold'
      readonly detail: 'requests'
      readonly requests: number
      readonly of: number
      readonly mostTokens: number
      readonly limitTokens: number
    }
  | {
      readonly kind: 'cache-cold'
      readonly detail: 'average'
      readonly requests: number
      readonly meanTokens: number
      readonly limitTokens: number
    }
  | { readonly kind: 'few-samples'; readonly n: number }
  /** Answers that ended before the length that was asked for: means over these, tokens. */
  | {
      readonly kind: 'ended-early'
      readonly requests: number
      readonly of: number
      readonly meanTokens: number
      readonly askedTokens: number
    }
  /** Answers that repeated themselves exactly; the shortest piece, and how one begins. */
  | {
      readonly kind: 'output-loop'
      readonly requests: number
      readonly of: number
      readonly periodChars: number
      readonly example: string
    }
  | { readonly kind: 'failed'; readonly message: string }
  /** The cell was measured once more; what it was before. */
  | {
      readonly kind: 'retried'
      readonly status: CellStatus
      readonly kinds: readonly Reason['kind'][]
    }
  /** One of several passes failed; the others stand. */
  | { readonly kind: 'pass-failed'; readonly message: string }

export type Verdict = { readonly status: CellStatus; readonly reasons: readonly Reason[] }

const queuedShareLimit = 0.2
const inFlightShare = 0.95
const failedShareLimit = 0.01
const fewSegments = 8
const estimateAllowance = 0.08
/** A load thread that is later or busier than this counts late; from a third of it on it is worth saying. */
const clientLimits = { loopDelayMs: 25, loopUtilisation: 0.95, busyShare: 1 / 3 }

/** Judges a measured cell. `evidence` are reasons that were found beside the window. */
export function judgeCell(
  summary: CellSummary,
  passes: readonly CellPass[],
  concurrency: number,
  evidence: readonly Reason[],
): Verdict {
  const reasons = [
    ...evidence,
    ...noTokens(summary),
    ...failedRequests(summary, passes),
    ...passes.flatMap(foreignLoad),
    ...mismatch(summary, passes),
    ...clientLoad(summary),
    ...stalledStreams(passes, concurrency, summary),
    ...unsteady(passes),
    ...retracted(summary),
    ...queued(passes, concurrency),
    ...estimated(passes),
    ...fewSamples(summary),
    ...loops(passes),
  ]
  return { status: statusOf(reasons), reasons }
}

const invalidating = [
  'foreign-load',
  'accounting-mismatch',
  'requests-failed',
  'streams-stalled',
  'client-limited',
] as const

/** Precedence: failed > invalid > requests-queued > valid. */
function statusOf(reasons: readonly Reason[]): CellStatus {
  const kinds = new Set(reasons.map(reason => reason.kind))
  if (kinds.has('no-tokens') || kinds.has('failed')) return 'failed'
  if (invalidating.some(kind => kinds.has(kind))) return 'invalid'
  return kinds.has('requests-queued') ? 'requests-queued' : 'valid'
}

/** A client that did not keep up cannot say that nothing arrived. */
function noTokens(summary: CellSummary): Reason[] {
  const isLimited = clientLoad(summary).some(({ kind }) => kind === 'client-limited')
  return summary.outputTokens === 0 && !isLimited ? [{ kind: 'no-tokens' }] : []
}

function failedRequests({ requests }: CellSummary, passes: readonly CellPass[]): Reason[] {
  if (requests.failed <= failedShareLimit * requests.started) return []
  const outcomes = passes.flatMap(pass => pass.traces.map(trace => trace.outcome))
  const failure = outcomes.find(outcome => outcome.kind === 'failed')?.failure
  return [
    {
      kind: 'requests-failed',
      failed: requests.failed,
      started: requests.started,
      example: failure === undefined ? '' : describeFailure(failure),
    },
  ]
}

/**
 * Queued: something waited in at least 20 % of the samples, or the requests that ran or waited for their first token
 * were fewer than 95 % of C. A single sample is normal after a restart. Unknown without server metrics, never assumed.
 * Gauges may be 40 steps old: what runs is not judged by them, and their queue counts while a stream of ours waits.
 */
function queued(passes: readonly CellPass[], concurrency: number): Reason[] {
  const readings = passes.flatMap(pass =>
    freshest(samplesInWindow(pass)).map(sample => ({
      ...sample,
      waiting: pass.traces.filter(trace => isWaiting(trace, seenAt(sample))).length,
    })),
  )
  const told = readings.filter(({ queued }) => queued !== null)
  const queuedSamples = told.filter(
    ({ queued, fresh, waiting }) => (queued ?? 0) > 0 && (fresh || waiting > 0),
  ).length
  const queuedShare = told.length === 0 ? null : queuedSamples / told.length
  const meanInFlight = mean(
    known(
      readings.map(({ running, fresh, waiting }) => (running === null || !fresh ? null : running + waiting)),
    ),
  )
  const isQueued = queuedShare !== null && queuedShare >= queuedShareLimit && queuedSamples > 1
  const isUnderfilled = meanInFlight !== null && meanInFlight < inFlightShare * concurrency
  return isQueued || isUnderfilled
    ? [{ kind: 'requests-queued', queuedShare, meanInFlight, wanted: concurrency }]
    : []
}

function estimated(passes: readonly CellPass[]): Extract<Reason, { kind: 'tokens-estimated' }>[] {
  const countings = new Set(
    passes.flatMap(pass => pass.traces.filter(trace => trace.window !== null).map(trace => trace.counting)),
  )
  if (countings.has('chunks')) return [{ kind: 'tokens-estimated', counting: 'chunks' }]
  return countings.has('final-usage') ? [{ kind: 'tokens-estimated', counting: 'final-usage' }] : []
}

function fewSamples({
  totalTokensPerSecond: {
    requestLevel: { n },
  },
}: CellSummary): Reason[] {
  return n < fewSegments ? [{ kind: 'few-samples', n }] : []
}

/** Of answers that loop the acceptance of a speculative server says nothing. */
function loops(passes: readonly CellPass[]): Reason[] {
  const answers = passes.flatMap(({ traces }) => traces.filter(({ window }) => window !== null))
  const found = known(answers.map(({ loop }) => loop)).sort((a, b) => a.periodChars - b.periodChars)
  const [shortest] = found
  return shortest === undefined
    ? []
    : [{ kind: 'output-loop', requests: found.length, of: answers.length, ...shortest }]
}

/**
 * Estimates may be off by more. What the server counted beyond chunks taken for one token each may be somebody else's or
 * our own: either way the figures are wrong.
 */
function mismatch(
  { server: { agreement, agreementTolerance: tolerance } }: CellSummary,
  passes: readonly CellPass[],
): Reason[] {
  if (agreement === null || tolerance === null) return []
  const [estimate] = estimated(passes)
  const allowed = tolerance + (estimate === undefined ? 0 : estimateAllowance)
  if (Math.abs(agreement - 1) <= allowed) return []
  return agreement > 1 && estimate?.counting !== 'chunks'
    ? [{ kind: 'foreign-load', detail: 'tokens', agreement, tolerance: allowed }]
    : [{ kind: 'accounting-mismatch', agreement, tolerance: allowed }]
}

/** Whether the load threads kept up with streams of that ITL. */
export function clientLoad({
  client: { loopDelayP99Ms, loopUtilisation },
  itlMs,
}: {
  readonly client: ClientHealth
  readonly itlMs: { readonly p50: number | null }
}): Reason[] {
  const delayLimit = Math.max(clientLimits.loopDelayMs, itlMs.p50 ?? 0)
  const load = Math.max(
    (loopDelayP99Ms ?? 0) / delayLimit,
    (loopUtilisation ?? 0) / clientLimits.loopUtilisation,
  )
  if (load <= clientLimits.busyShare) return []
  return [{ kind: load > 1 ? 'client-limited' : 'client-busy', loopDelayP99Ms, loopUtilisation }]
}

function retracted({ server: { retractions } }: CellSummary): Reason[] {
  return retractions === null || retractions === 0 ? [] : [{ kind: 'retracted', retractions }]
}
