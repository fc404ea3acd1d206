import { type CellPass, type CellSummary, samplesInWindow } from './cell-summary.ts'
import { describeFailure } from './failure.ts'
import { foreignLoad } from './foreign-load.ts'
import type { ClientHealth } from './load-record.ts'
import { chunksTogether, stalledStreams, unsteady } from './pace.ts'
import { isWaiting } from './request-trace.ts'
import { freshest } from './server-figures.ts'
import { seenAt } from './server-sample.ts'
import { known, mean } from './statistics.ts'
import type { CellStatus, Reason, Verdict } from './verdict.ts'

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
    // Where this client was late they may have waited for it.
    ...(clientLoad(summary).length > 0 ? [] : chunksTogether(passes)),
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
