import type { CellSummary } from '../domain/cell-summary.ts'
import { relativeInterval } from '../domain/interval.ts'
import type { LiveLoad } from '../domain/live.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import { decimal, type Form, milliseconds, percent, perSecond } from '../format/units.ts'

/** One figure that the grid can show, in the words and units of the result. */
export type Figure = {
  readonly name: string
  /** Beside its value in a line of figures. */
  readonly short: string
  readonly meaning: string
  readonly better: 'high' | 'low'
  readonly of: (summary: CellSummary) => number | null
  /** The same of the running cell at this moment; `null` where only a whole window tells it. */
  readonly live: (now: LiveFigures) => number | null
  readonly text: (value: number | null, form: Form) => string
}

/** What is known of the running cell at this moment. */
export type LiveFigures = { readonly load: LiveLoad; readonly sample: ServerSample | null }

const throughput: Figure = {
  name: 'tok/s',
  short: 'tok/s',
  meaning: 'output tokens per second, all streams',
  better: 'high',
  of: summary => summary.totalTokensPerSecond.mean,
  live: ({ load }) => load.tokensPerSecond,
  text: perSecond,
}

const ttft: Figure = {
  name: 'TTFT',
  short: 'TTFT',
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
    short: 'per request',
    meaning: 'output tokens per second of one request while it streams, median',
    better: 'high',
    of: summary => summary.perRequestTokensPerSecond.p50,
    live: ({ load: { itlMs } }) => (itlMs === null ? null : 1000 / itlMs),
    text: perSecond,
  },
  {
    name: 'steps/s',
    short: 'steps/s',
    meaning: 'decode steps per second',
    better: 'high',
    of: summary => summary.stepsPerSecond,
    live: () => null,
    text: perSecond,
  },
  ttft,
  {
    name: 'ITL',
    short: 'ITL',
    meaning: 'inter-token latency, median',
    better: 'low',
    of: summary => summary.itlMs.p50,
    live: ({ load }) => load.itlMs,
    text: milliseconds,
  },
  {
    name: 'KV usage',
    short: 'KV',
    meaning: "share of the server's KV cache in use, mean",
    better: 'high',
    of: summary => summary.server.kvCacheUsage.mean,
    live: ({ sample }) => sample?.kvCacheUsage ?? null,
    text: percent,
  },
  {
    name: 'queue depth',
    short: 'queued',
    meaning: "requests in the server's queue, mean",
    better: 'low',
    of: summary => summary.server.queued.mean,
    live: ({ sample }) => sample?.queued ?? null,
    // Of the running cell it is a count, of others a mean.
    text: (value, form) => decimal(value, Number.isInteger(value) ? 0 : 1, form),
  },
  {
    name: 'tokens per chunk',
    short: 'tok/chunk',
    meaning: 'output tokens per chunk: what speculation gains per step',
    better: 'high',
    of: summary => summary.tokensPerChunk,
    live: () => null,
    text: (value, form) => decimal(value, 2, form),
  },
  {
    name: 'interval',
    short: 'interval',
    meaning: '95 % interval of tok/s, ± share of it',
    better: 'low',
    of: summary => relativeInterval(summary.totalTokensPerSecond),
    live: () => null,
    text: value => `±${percent(value)}`,
  },
]

/** `index` may run beyond either end. */
export function figureAt(index: number): Figure {
  const { length } = figures
  return figures[((index % length) + length) % length] ?? throughput
}

/** The figure that stands beneath another where there is room. */
export function figureBeneath(figure: Figure): Figure {
  return figure === ttft ? throughput : ttft
}
