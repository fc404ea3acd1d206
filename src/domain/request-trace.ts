import type { RequestFailure } from './failure.ts'

/**
 * What a load thread saw of one request. Times are milliseconds on the run's clock, taken when bytes arrived;
 * `null`: it never happened. Counts are tokens.
 */
export type RequestTrace = {
  readonly rid: string
  readonly purpose: RequestPurpose
  /** Index of the stream whose prompt it carries. */
  readonly stream: number
  readonly maxTokens: number
  readonly promptChars: number
  /** When the request was handed to the socket. */
  readonly writtenAt: number | null
  readonly firstTokenAt: number | null
  readonly lastTokenAt: number | null
  readonly endedAt: number
  readonly promptTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number
  readonly counting: TokenCounting
  readonly outcome: RequestOutcome
  /** The answer repeated itself exactly; `null`: it did not. */
  readonly loop: OutputLoop | null
  /** Its share of the measurement window; `null`: no token in the window. */
  readonly window: WindowShare | null
}

/** `launch`: the C first requests of a cell; `steady`: those that replace finished ones. */
export type RequestPurpose = 'calibrate' | 'warm' | 'prefill' | 'launch' | 'steady'

/** How output tokens were counted: usage in each chunk, usage at the end (chunks scaled by it), or one for each chunk. */
export type TokenCounting = 'continuous-usage' | 'final-usage' | 'chunks'

/** The piece that an answer repeated over at least 4,096 characters: its length, and how it begins. */
export type OutputLoop = { readonly periodChars: number; readonly example: string }

/** How a request ended. */
export type RequestOutcome =
  | { readonly kind: 'completed' }
  /** Ended by us, at the close of the window or when the operator stopped. */
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'failed'; readonly failure: RequestFailure }

/** The tokens of one request that arrived inside the window, first and last chunk with their times. */
export type WindowShare = {
  readonly firstAt: number
  readonly lastAt: number
  readonly chunks: number
  readonly tokens: number
  /** Tokens of the first chunk in the window: they took no time that we saw. */
  readonly firstChunkTokens: number
  /** Longest silence between two chunks inside the window, ms. */
  readonly longestGapMs: number
  /** Output tokens that this request had before the window. */
  readonly tokensBefore: number
}

/** Whether the request was written and had not ended then. */
export function isUnderWay({ writtenAt, endedAt }: RequestTrace, at: number): boolean {
  return writtenAt !== null && writtenAt <= at && endedAt > at
}

/** Whether the request was under way then and had no token yet. */
export function isWaiting(trace: RequestTrace, at: number): boolean {
  return isUnderWay(trace, at) && (trace.firstTokenAt ?? trace.endedAt) > at
}

/** Time to first token, ms: first chunk with output minus the write of the request. */
export function ttftMs(trace: RequestTrace): number | null {
  return trace.firstTokenAt === null || trace.writtenAt === null ? null : trace.firstTokenAt - trace.writtenAt
}

/**
 * Inter-token latency of the request's part inside the window, ms per token:
 * (last - first chunk) / tokens after the first chunk. `null` below 2 chunks, and when all arrived at one time.
 */
export function itlMs(share: WindowShare): number | null {
  const tokens = share.tokens - share.firstChunkTokens
  const ms = share.lastAt - share.firstAt
  return share.chunks < 2 || tokens <= 0 || ms <= 0 ? null : ms / tokens
}
