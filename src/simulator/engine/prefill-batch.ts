import type { Profile } from '../profile.ts'
import type { KvPool } from './kv-pool.ts'
import { type SimRequest, sequenceTokens } from './sim-request.ts'

/** One request's share of a prefill step, in tokens. */
export type PrefillPart = {
  readonly request: SimRequest
  readonly newTokens: number
  /** Those that have their KV already. */
  readonly cachedTokens: number
  /** Those of them that the prefix cache gave just now. */
  readonly hitTokens: number
  readonly promptTokens: number
  /** Whether the whole prompt has its KV then, so that the first output token comes with it. */
  readonly completes: boolean
}

/** Output that admission sets KV aside for, at most; more would keep the pool empty (SGLANG_CLIP_MAX_NEW_TOKENS). */
const clippedNewTokens = 4096

/** Tokens that a request may still need beyond what it holds. */
export function pledgedTokens(request: SimRequest): number {
  return Math.min(request.maxNewTokens - request.outputTokens, clippedNewTokens)
}

/** Fills one prefill step: the partly prefilled request first, then the queue in order until the first that does not fit. */
export class PrefillBatch {
  readonly parts: PrefillPart[] = []
  /** The request whose prompt goes on in the next step. */
  partial: SimRequest | null = null
  readonly #pool: KvPool
  readonly #limits: Profile['limits']
  #chunkTokens: number
  #promptTokens: number
  #pledgedTokens: number

  constructor(pool: KvPool, limits: Profile['limits'], pledgedToRunning: number) {
    this.#pool = pool
    this.#limits = limits
    this.#chunkTokens = limits.chunkedPrefillTokens
    this.#promptTokens = limits.maxPrefillTokens
    this.#pledgedTokens = pledgedToRunning
  }

  /** Goes on with a partly prefilled request; its KV was reckoned with at its admission. */
  resume(request: SimRequest): void {
    this.#take(request, 0)
  }

  /** Takes the next queued request: 'added', 'step-full' or 'server-full'. */
  admit(request: SimRequest, nothingElseRuns: boolean): 'added' | 'step-full' | 'server-full' {
    if (this.#chunkTokens < this.#limits.pageTokens || this.#promptTokens <= 0) return 'step-full'
    const { pageTokens } = this.#limits
    // At least one token is computed anew: its logits give the first output token.
    const maxHitPages = Math.floor((sequenceTokens(request) - 1) / pageTokens)
    this.#pool.lockPrefix(request.lease, request.prompt.pageHashes, maxHitPages)
    const hitTokens = request.lease.cachedPages * pageTokens
    const missing = sequenceTokens(request) - hitTokens
    const available = (this.#pool.freePages + this.#pool.evictablePages) * pageTokens - this.#pledgedTokens
    const needed = Math.ceil(missing / pageTokens) * pageTokens + pageTokens
    const alone = nothingElseRuns && this.parts.length === 0
    // A request alone in the server is let in without room for its output, or it would wait for ever.
    const fits = alone ? needed - pageTokens <= available : needed + pledgedTokens(request) < available
    const withinBudget = missing < this.#promptTokens || this.parts.length === 0
    if (!fits || !withinBudget) {
      this.#pool.release(request.lease)
      return fits ? 'step-full' : 'server-full'
    }
    request.kvTokens = hitTokens
    request.cachedTokens += hitTokens
    this.#take(request, hitTokens)
    return 'added'
  }

  #take(request: SimRequest, hitTokens: number): void {
    const cachedTokens = request.kvTokens
    const missing = sequenceTokens(request) - cachedTokens
    const { pageTokens } = this.#limits
    const whole = missing <= this.#chunkTokens
    const newTokens = whole ? missing : Math.floor(this.#chunkTokens / pageTokens) * pageTokens
    if (!this.#pool.cover(request.lease, cachedTokens + newTokens))
      throw new Error('admitted without KV to hold it')
    const promptTokens = request.prompt.tokens
    this.parts.push({ request, newTokens, cachedTokens, hitTokens, promptTokens, completes: whole })
    this.#promptTokens -= newTokens
    if (whole) {
      this.#chunkTokens -= newTokens
      this.#pledgedTokens += pledgedTokens(request)
    } else {
      this.#chunkTokens = 0
      this.partial = request
    }
  }
}
