import type { CellPass } from './cell-summary.ts'
import type { RequestTrace } from './request-trace.ts'

/** Requests that were under way at some time inside the window, and what became of them there. */
export type RequestCounts = {
  readonly started: number
  readonly completed: number
  /** Still under way when the window closed, or ended by its close. */
  readonly cutOff: number
  readonly failed: number
  /** The failed ones that had fallen silent. */
  readonly stalled: number
}

/** The requests of all passes, each counted in the window of its own pass. */
export function countRequests(passes: readonly CellPass[]): RequestCounts {
  const underWay = passes.flatMap(({ traces, counts: { window } }) =>
    traces
      .filter(({ writtenAt, endedAt }) => (writtenAt ?? endedAt) <= window.to && endedAt >= window.from)
      .map(trace => ({ trace, endedInside: trace.endedAt <= window.to })),
  )
  const failed = underWay.filter(({ trace, endedInside }) => endedInside && trace.outcome.kind === 'failed')
  return {
    started: underWay.length,
    completed: underWay.filter(({ trace, endedInside }) => endedInside && trace.outcome.kind === 'completed')
      .length,
    cutOff: underWay.filter(({ trace, endedInside }) => !endedInside || trace.outcome.kind === 'cut-off')
      .length,
    failed: failed.length,
    stalled: failed.filter(({ trace }) => isStalled(trace)).length,
  }
}

function isStalled({ outcome }: RequestTrace): boolean {
  return (
    outcome.kind === 'failed' &&
    outcome.failure.kind === 'timeout' &&
    outcome.failure.waitedFor === 'next-token'
  )
}
