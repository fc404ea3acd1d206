import type { CellSummary } from '../domain/cell-summary.ts'
import type { LiveLoad } from '../domain/live.ts'
import { type Form, milliseconds, perSecond } from '../format/units.ts'

/** One figure that the grid can show, in the words and units of the result. */
export type Figure = {
  readonly name: string
  readonly meaning: string
  readonly better: 'high' | 'low'
  readonly of: (summary: CellSummary) => number | null
  readonly live: (load: LiveLoad) => number | null
  readonly text: (value: number | null, form: Form) => string
}

const throughput: Figure = {
  name: 'tok/s',
  meaning: 'output tokens per second, all streams',
  better: 'high',
  of: summary => summary.totalTokensPerSecond.mean,
  live: load => load.tokensPerSecond,
  text: perSecond,
}

const ttft: Figure = {
  name: 'TTFT',
  meaning: 'time to first token, median',
  better: 'low',
  of: summary => summary.ttftMs.headline,
  live: () => null,
  text: milliseconds,
}

/** In the order in which `m` shows them. */
export const figures: readonly Figure[] = [
  throughput,
  {
    name: 'tok/s per request',
    meaning: 'output tokens per second of one request while it streams, median',
    better: 'high',
    of: summary => summary.perRequestTokensPerSecond.p50,
    live: ({ itlMs }) => (itlMs === null ? null : 1000 / itlMs),
    text: perSecond,
  },
  ttft,
  {
    name: 'ITL',
    meaning: 'inter-token latency, median',
    better: 'low',
    of: summary => summary.itlMs.p50,
    live: load => load.itlMs,
    text: milliseconds,
  },
]

export function figureAt(index: number): Figure {
  return figures[index % figures.length] ?? throughput
}

/** The figure that stands beneath another where there is room. */
export function figureBeneath(figure: Figure): Figure {
  return figure === ttft ? throughput : ttft
}
