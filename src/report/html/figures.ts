import type { FigureName } from '../../domain/compared-cell.ts'
import { relativeInterval } from '../../domain/interval.ts'
import { decimal, finePercent, milliseconds, perSecond } from '../../format/units.ts'
import type { ReportCell } from './report-run.ts'

/** One figure that the matrix can show. */
export type Figure = {
  readonly key: string
  readonly name: string
  readonly meaning: string
  /** `neither`: more is not better and not worse. */
  readonly better: 'high' | 'low' | 'neither'
  readonly of: (cell: ReportCell) => number | null
  readonly text: (value: number | null) => string
  /** Under which name two runs are compared in it; `null`: they are not. */
  readonly compared: FigureName | null
}

const throughput: Figure = {
  key: 'total',
  name: 'tok/s',
  meaning: 'output tokens per second of all requests together',
  better: 'high',
  of: cell => cell.totalTokensPerSecond?.mean ?? null,
  text: perSecond,
  compared: 'tok/s',
}

const ttft: Figure = {
  key: 'ttft',
  name: 'TTFT',
  meaning: 'time to first token, median: mostly without prefill, as the prompts were cached before',
  better: 'low',
  of: cell => cell.ttftMs?.headline ?? null,
  text: milliseconds,
  compared: 'ttft',
}

/** In the order of the switch. */
export const figures: readonly Figure[] = [
  throughput,
  {
    key: 'request',
    name: 'per request',
    meaning: 'output tokens per second of one request while it streams, median',
    better: 'high',
    of: cell => cell.perRequestTokensPerSecond?.p50 ?? null,
    text: perSecond,
    compared: null,
  },
  {
    key: 'steps',
    name: 'steps/s',
    meaning: 'decode steps per second: the inverse of the usual gap between chunks',
    better: 'high',
    of: cell => cell.stepsPerSecond,
    text: perSecond,
    compared: 'steps/s',
  },
  ttft,
  {
    key: 'itl',
    name: 'ITL',
    meaning: 'time between tokens of one request, median',
    better: 'low',
    of: cell => cell.itlMs?.p50 ?? null,
    text: milliseconds,
    compared: 'itl',
  },
  {
    key: 'kv',
    name: 'KV cache',
    meaning: 'share of the KV cache in use, mean over the window',
    better: 'neither',
    of: cell => cell.server?.kvCacheUsage.mean ?? null,
    text: finePercent,
    compared: null,
  },
  {
    key: 'queue',
    name: 'queue',
    meaning: "requests that waited in the server's queue, mean over the window",
    better: 'low',
    of: cell => cell.server?.queued.mean ?? null,
    text: value => decimal(value, 1),
    compared: null,
  },
  {
    key: 'chunk',
    name: 'tokens/chunk',
    meaning: 'tokens that arrived at once, mean: the acceptance of a speculative server',
    better: 'high',
    of: cell => cell.tokensPerChunk,
    text: value => decimal(value, 2),
    compared: null,
  },
  {
    key: 'interval',
    name: '± interval',
    meaning: 'half-width of the 95% interval as a share of tok/s: how well tok/s is known',
    better: 'low',
    of: cell => relativeInterval(cell.totalTokensPerSecond),
    text: value => (value === null ? finePercent(null) : `± ${finePercent(value)}`),
    compared: null,
  },
]

export function figureOf(key: string): Figure {
  return figures.find(figure => figure.key === key) ?? throughput
}

/** The figure that stands beneath another. */
export function figureBeneath(figure: Figure): Figure {
  return figure === throughput ? ttft : throughput
}
