import type { Speculative } from '../profile.ts'
import { seededRandom } from '../random.ts'
import { TokenSource } from './acceptance.ts'
import { emptyLease, type Lease } from './kv-pool.ts'
import type { Prompt } from './prompt.ts'

/** Why a request ended. */
export type FinishReason = 'stop' | 'length' | 'abort'

/** What a client asks for. */
export type Submission = {
  readonly rid: string
  readonly prompt: Prompt
  readonly maxNewTokens: number
  readonly ignoreEos: boolean
  readonly streaming: boolean
  /** The data-parallel rank that is to run it; absent: the server chooses. */
  readonly dpRank?: number
  /** Output tokens from one chunk to the next; absent: as launched. */
  readonly streamInterval?: number
}

/** A request inside the server; times in ms of the engine's clock. */
export type SimRequest = Submission & {
  readonly serial: number
  readonly arrivedAt: number
  /** When tokenizing and the host's fixed cost are over. */
  readonly queuedAt: number
  readonly streamInterval: number
  /** Output tokens after which the model ends by itself; Infinity under `ignoreEos`. */
  readonly stopAfter: number
  /** Of its own, so that what it is given does not depend on who else runs. */
  readonly seed: number
  readonly source: TokenSource
  readonly lease: Lease
  /** The rank that it was sent to; null while it is tokenized. */
  rank: number | null
  outputTokens: number
  /** Those that went out to the client; the others wait for the stream interval. */
  sentTokens: number
  /** Tokens of prompt and output whose KV is there. */
  kvTokens: number
  /** Prompt tokens found in the prefix cache; counted again after a retraction, as SGLang does. */
  cachedTokens: number
  firstTokenAt: number | null
  lastTokenAt: number | null
  aborting: boolean
  isOver: boolean
}

/** What a step gave one request's client. */
export type Output = {
  readonly request: SimRequest
  readonly at: number
  readonly tokens: number
  readonly finish: FinishReason | null
}

/** Length at which a model left to itself stops: uniform over 50–800 tokens. */
const naturalLength = { min: 50, max: 800 }

/** A request at its arrival: nothing computed, nothing held. */
export function createRequest(
  submission: Submission,
  speculative: Speculative | null,
  place: Pick<SimRequest, 'maxNewTokens' | 'streamInterval' | 'serial' | 'seed' | 'arrivedAt' | 'queuedAt'>,
): SimRequest {
  const { min, max } = naturalLength
  const random = seededRandom(place.seed)
  const length = min + Math.floor(random() * (max - min + 1))
  return {
    ...submission,
    ...place,
    source: new TokenSource(speculative, submission.prompt.tokens, place.serial, random),
    stopAfter: submission.ignoreEos ? Number.POSITIVE_INFINITY : length,
    lease: emptyLease(),
    rank: null,
    outputTokens: 0,
    sentTokens: 0,
    kvTokens: 0,
    cachedTokens: 0,
    firstTokenAt: null,
    lastTokenAt: null,
    aborting: false,
    isOver: false,
  }
}

/** Prompt and output so far, in tokens. */
export function sequenceTokens(request: SimRequest): number {
  return request.prompt.tokens + request.outputTokens
}

/** Output tokens that decode steps may still give; the last one given has no KV yet. */
export function decodableTokens({ prompt, maxNewTokens, stopAfter, kvTokens }: SimRequest): number {
  return Math.min(maxNewTokens, stopAfter) - (kvTokens - prompt.tokens + 1)
}

/** Why the request is over; null while it is not. */
export function finishReason(request: SimRequest): FinishReason | null {
  if (request.outputTokens >= request.maxNewTokens) return 'length'
  if (request.outputTokens >= request.stopAfter) return 'stop'
  return request.aborting ? 'abort' : null
}

/** Name of a page in the prefix cache; pages with output get negative names that no other request has. */
export function pageHash(request: SimRequest, page: number): number {
  return request.prompt.pageHashes[page] ?? -(request.serial * 2 ** 20 + page)
}
