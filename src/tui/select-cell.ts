import type { Limit } from '../domain/capacity.ts'
import type { CellSummary } from '../domain/cell-summary.ts'
import { hostTokenizeMs } from '../domain/host-tokenize.ts'
import { type LiveSeries, liveSeries } from '../domain/live.ts'
import { netPrefill } from '../domain/net-prefill.ts'
import type { PrefillSummary } from '../domain/prefill-row.ts'
import type { Job, Progress, RunState } from '../domain/run-state.ts'
import { scalingEfficiency } from '../domain/scaling.ts'
import type { Reason } from '../domain/verdict.ts'
import { contextName } from '../format/units.ts'
import { type NowView, selectNow } from './select-now.ts'

type Verdict = {
  /** `64K × 4`, `64K` */
  readonly name: string
  readonly status: Progress
  /** Why it cannot fit; empty when it does. */
  readonly limits: readonly Limit[]
  readonly reasons: readonly Reason[]
  /** What the run does, while it works on this one. */
  readonly live: NowView | null
}

/** One cell in detail. */
export type CellDetail = Verdict & {
  /** Of the finished cell, else of a window that was cut short. */
  readonly figures: CellSummary | null
  readonly isPartial: boolean
  readonly course: LiveSeries | null
  /** What the course spans when it is complete, seconds. */
  readonly courseSeconds: number
  readonly scaling: number | null
}

/** One prefill row in detail. */
export type PrefillDetail = Verdict & {
  readonly summary: PrefillSummary | null
  readonly netTokensPerSecond: number | null
  readonly hostTokenizeMs: number | null
}

/** `null`: there is no cell of that index. */
export function selectCell(state: RunState, index: number, now: number): CellDetail | null {
  const cell = state.cells[index]
  if (cell === undefined) return null
  const job = state.job?.target.kind === 'cell' && state.job.target.cell === index ? state.job : null
  const { plan, status, reasons, summary, partial } = cell
  // While it is measured, the course of now; a repeated cell keeps the figures of its passes so far beside it.
  const figures = summary ?? partial
  const course = job === null ? (figures?.series ?? null) : liveSeries(job)
  return {
    name: `${contextName(plan.contextTokens)} × ${plan.concurrency}`,
    status,
    limits: plan.fit.kind === 'over' ? plan.fit.limits : [],
    reasons,
    live: job === null ? null : selectNow(state, now),
    figures,
    isPartial: summary === null && partial !== null,
    course,
    courseSeconds: courseSeconds(course, job),
    scaling: scalingEfficiency(cell, state.cells),
  }
}

/** `null`: there is no row of that index. */
export function selectPrefill(state: RunState, index: number, now: number): PrefillDetail | null {
  const row = state.prefill[index]
  if (row === undefined) return null
  const { plan, status, reasons, summary } = row
  const isRunning = state.job?.target.kind === 'prefill' && state.job.target.row === index
  return {
    name: contextName(plan.contextTokens),
    status,
    limits: plan.fit.kind === 'over' ? plan.fit.limits : [],
    reasons,
    live: isRunning ? selectNow(state, now) : null,
    summary,
    netTokensPerSecond: netPrefill(row, state.cells),
    hostTokenizeMs: hostTokenizeMs(plan.contextTokens, state.cells),
  }
}

/** Before the window opens the course grows, but not from nothing: a scale that changes each second is hard to read. */
const leastLiveSeconds = 10

function courseSeconds(course: LiveSeries | null, job: Job | null): number {
  const told = course === null ? 0 : course.tokensPerSecond.length * course.secondsPerPoint
  if (job === null) return told
  return job.window === null ? Math.max(leastLiveSeconds, told) : (job.window.to - job.window.from) / 1000
}
