import type { RequestTrace } from './request-trace.ts'

/** The measurement window: ms on the run's clock, announced to the load threads before it opens. */
export type Window = { readonly from: number; readonly to: number; readonly sliceMs: number }

/** What the load threads saw since the last tick, all streams together. */
export type LoadTick = {
  readonly at: number
  /** Milliseconds that this tick covers. */
  readonly spanMs: number
  readonly tokens: number
  readonly chunks: number
  /** Streams that have had a first token since the launch. */
  readonly started: number
  /** Streams between first and last token now. */
  readonly active: number
  /** Streams whose request is written and has no token yet. */
  readonly waiting: number
  /** First tokens that came in this tick: their TTFT, ms. */
  readonly ttftMs: readonly number[]
  /** Requests that ended in this tick. */
  readonly ended: readonly RequestTrace[]
}

/** Length of a bin, ms: short against any decode step that matters. */
export const binMs = 20

/** What the load threads counted inside the window, merged over threads. */
export type WindowCounts = {
  /** As it was: an operator's stop closes it before its announced end. */
  readonly window: Window
  /** Tokens for each slice, in order; those of streams without continuous usage are estimates. */
  readonly sliceTokens: readonly number[]
  /** The same cut finely, `binMs` each: for a comparison with the server's count between two moments. */
  readonly binTokens: readonly number[]
  readonly gaps: GapHistogram
  /** The same gaps by the third of the window in which they ended: whether the steps kept their pace. */
  readonly gapThirds: readonly GapHistogram[]
  readonly client: ClientHealth
}

/**
 * Gaps between token chunks of one stream inside the window: [microseconds, count], ascending, three significant
 * digits (HDR histogram). As plain counts they merge over threads and passes by addition.
 */
export type GapHistogram = readonly (readonly [microseconds: number, count: number])[]

/** How well the load threads kept up in the window; the worst thread counts. */
export type ClientHealth = {
  readonly loopDelayP99Ms: number | null
  readonly loopUtilisation: number | null
  readonly workers: number
}
