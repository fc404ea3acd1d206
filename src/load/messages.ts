import type { LoadTick, Window, WindowCounts } from '../domain/load-record.ts'
import type { ProxySettings } from '../domain/proxy-settings.ts'
import type { RequestTrace } from '../domain/request-trace.ts'
import type { SingleRequest, StreamPlan } from '../domain/step.ts'
import type { PromptSource } from './prompt.ts'

/** The whole protocol between the run and its load threads. Nothing else crosses; never a message for one token. */

/** Where requests go and what they have in common. Holds the API key: never logged, never written. */
export type LoadTarget = {
  readonly origin: string
  /** Path of the generating endpoint, prefix included. */
  readonly path: string
  readonly endpoint: 'chat' | 'completions'
  /** A cheap GET that opens a connection before the launch. */
  readonly openPath: string
  /** Where a request is aborted by its rid; `null`: closing the connection has to do. */
  readonly abortPath: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly insecure: boolean
  /** `null`: none. */
  readonly proxy: ProxySettings | null
  readonly model: string
  readonly ignoreEos: boolean
  /** `null`: the server's default sampling. */
  readonly temperature: number | null
  readonly extraBody: Readonly<Record<string, unknown>>
  readonly stallTimeoutMs: number
  readonly firstTokenTimeoutMs: number
}

export type WorkerSetup = {
  readonly target: LoadTarget
  readonly prompts: PromptSource
  /** Distinguishes the threads' request ids. */
  readonly worker: number
}

/** A stream with its index among all C streams of the cell. */
export type AssignedStream = StreamPlan & { readonly index: number }

export type ToWorker =
  | {
      readonly kind: 'send'
      readonly id: number
      readonly requests: readonly SingleRequest[]
      readonly atOnce: number
    }
  /** Open connections and encode bodies; answered by `prepared`. */
  | { readonly kind: 'prepare'; readonly streams: readonly AssignedStream[]; readonly maxTokens: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'open-window'; readonly window: Window }
  | { readonly kind: 'close' }
  /** The last characters of the first stream's answer; answered by `peeked`. */
  | { readonly kind: 'peek'; readonly chars: number }

export type FromWorker =
  | { readonly kind: 'sent'; readonly id: number; readonly traces: readonly RequestTrace[] }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'peeked'; readonly text: string | null }
  | { readonly kind: 'tick'; readonly tick: LoadTick }
  | {
      readonly kind: 'closed'
      readonly counts: RawCounts | null
      readonly cutOff: readonly RequestTrace[]
      /** Of all requests of this thread so far. */
      readonly usageBefore: FinalUsage
    }

/** Of requests that told their tokens only at the end: tokens and chunks. */
export type FinalUsage = { readonly tokens: number; readonly chunks: number }

/** One thread's counts. Tokens of streams that do not tell them with each chunk are chunks, to be scaled. */
export type RawCounts = WindowCounts & {
  readonly sliceChunksUncounted: readonly number[]
  readonly binChunksUncounted: readonly number[]
  /** Of the cell's requests. */
  readonly finalUsage: FinalUsage
}
