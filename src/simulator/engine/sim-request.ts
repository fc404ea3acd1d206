import { type Random, seededRandom } from '../random.ts'
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
}

/** A request inside the server; times in ms of the engine's clock. */
export type SimRequest = Submission & {
  readonly serial: number
  readonly arrivedAt: number
  /** When tokenizing and the host's fixed cost are over. */
  readonly queuedAt: number
  /** Output tokens after which the model ends by itself; Infinity under `ignoreEos`. */
  readonly stopAfter: number
  /** Of its own, so that what it is given does not depend on who else runs. */
  readonly seed: number
  readonly random: Random
  readonly lease: Lease
  outputTokens: number
  /** Tokens of prompt and output whose KV is there. */
  kvTokens: number
  /** Prompt tokens found in the prefix cache; counted again after a retraction, as SGLang does. */
  cachedTokens: number
  firstTokenAt: number | null
  lastTokenAt: number | null
  aborting: boolean
}

/** What a step gave one request. */
export type Output = {
  readonly request: SimRequest
  readonly at: number
  readonly tokens: number
  readonly finish: FinishReason | null
}

/** Length at which a model left to itself stops: uniform over 50–800 tokens. */
const NATURAL_LENGTH = { min: 50, max: 800 }

/** A request at its arrival: nothing computed, nothing held. */
export function createRequest(
  submission: Submission,
  place: Pick<SimRequest, 'maxNewTokens' | 'serial' | 'seed' | 'arrivedAt' | 'queuedAt'>,
): SimRequest {
  const { min, max } = NATURAL_LENGTH
  const random = seededRandom(place.seed)
  const length = min + Math.floor(random() * (max - min + 1))
  return {
    ...submission,
    ...place,
    random,
    stopAfter: submission.ignoreEos ? Number.POSITIVE_INFINITY : length,
    lease: emptyLease(),
    outputTokens: 0,
    kvTokens: 0,
    cachedTokens: 0,
    firstTokenAt: null,
    lastTokenAt: null,
    aborting: false,
  }
}

/** Prompt and output so far, in tokens. */
export function sequenceTokens(request: SimRequest): number {
  return request.prompt.tokens + request.outputTokens
}

/** Output tokens that may still come. */
export function remainingTokens(request: SimRequest): number {
  return Math.min(request.maxNewTokens, request.stopAfter) - request.outputTokens
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
