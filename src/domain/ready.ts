import type { LoadTick } from './load-record.ts'
import type { CellState, Job, RunState } from './run-state.ts'

/** The server counts as running all streams from this share on; a stream between two requests is not running. */
const runningShare = 0.98
const minimumTimeoutMs = 30_000
/** A queue that stands for this long after every stream had its turn will stay. */
const saturatedMs = 3000
const leastFailures = 3
const silentMs = 5000

/**
 * Every stream had its first token once, and the server, where it tells so freshly, runs them all, or has shown that it
 * never will: it kept some of them in its queue all the while.
 */
export function isLatched(job: Job, concurrency: number): boolean {
  const allStartedAt = job.ticks.find(({ started }) => started >= concurrency)?.at
  if (allStartedAt === undefined) return false
  const sample = job.samples.at(-1)
  if (sample === undefined || !sample.fresh || sample.running === null) return true
  if (sample.at >= job.phaseSince && sample.running >= runningShare * concurrency) return true
  const since = job.samples.filter(({ at, fresh }) => fresh && at >= allStartedAt)
  return sample.at - allStartedAt >= saturatedMs && since.every(({ queued }) => queued !== null && queued > 0)
}

/**
 * How long to wait for that, ms: the option, else twice the time that the server needs to read all prompts anew, by
 * its measured prefill, at least 30 s. After that the window opens all the same, and what it shows decides.
 */
export function readyTimeoutMs(state: RunState, cell: CellState): number {
  const asked = state.run?.options.readyTimeoutSeconds ?? null
  if (asked !== null) return asked * 1000
  const rows = state.prefill.filter(({ plan }) => plan.contextTokens >= cell.plan.contextTokens)
  const coldMs = rows.find(({ summary }) => summary !== null)?.summary?.ttftMs ?? null
  return Math.max(minimumTimeoutMs, coldMs === null ? 0 : 2 * coldMs * cell.plan.concurrency)
}

/** No stream ever had a token, and the streams' failures show that none will. */
export function isHopeless({ ticks }: Job, concurrency: number): boolean {
  return (ticks.at(-1)?.started ?? 0) === 0 && failuresIn(ticks) >= enoughFailures(concurrency)
}

/** For 5 s nothing has arrived and the streams failed one after the other: the server is gone, it does not just read. */
export function isDead({ ticks, phaseSince }: Job, concurrency: number): boolean {
  const latest = ticks.at(-1)
  if (latest === undefined || latest.at - phaseSince < silentMs) return false
  const recent = ticks.filter(({ at }) => at > latest.at - silentMs)
  return recent.every(({ tokens }) => tokens === 0) && failuresIn(recent) >= enoughFailures(concurrency)
}

function enoughFailures(concurrency: number): number {
  return Math.max(leastFailures, concurrency)
}

function failuresIn(ticks: readonly LoadTick[]): number {
  return ticks.flatMap(({ ended }) => ended).filter(({ outcome }) => outcome.kind === 'failed').length
}
