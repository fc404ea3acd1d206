import { effectiveMaxRunning, type Profile } from '../profile.ts'
import { normal, type Random } from '../random.ts'
import { DecodeMeter } from './decode-meter.ts'
import { type Gauges, readGauges } from './gauges.ts'
import { KvPool } from './kv-pool.ts'
import type { Meters } from './meters.ts'
import { NewTokenRatio } from './new-token-ratio.ts'
import { PrefillBatch, type PrefillPart, pledgedTokens } from './prefill-batch.ts'
import { canDecode, retractionVictim } from './retraction.ts'
import {
  type FinishReason,
  finishReason,
  type Output,
  pageHash,
  remainingTokens,
  type SimRequest,
  sequenceTokens,
} from './sim-request.ts'
import { acceptedTokens, decodeMs, prefillMs } from './step-cost.ts'

/** What the GPU is at, until `endsAt` (ms). */
export type Step =
  | { readonly kind: 'prefill'; readonly endsAt: number; readonly parts: readonly PrefillPart[] }
  | { readonly kind: 'decode'; readonly endsAt: number }

/** Decode steps between two publications of the gauges (SGLang's --decode-log-interval). */
export const DECODE_LOG_INTERVAL = 40

/** SGLang's scheduler: first come first served, prefill before decode, one step at a time. */
export class Scheduler {
  readonly pool: KvPool
  readonly maxRunning: number
  readonly newTokenRatio = new NewTokenRatio()
  readonly decodeMeter = new DecodeMeter()
  readonly waiting: SimRequest[] = []
  readonly running: SimRequest[] = []
  /** Gauges as last published: at each prefill step, each 40th decode step, and when it all ends. */
  published: Gauges & { readonly tokensPerSecond: number }
  readonly #profile: Profile
  readonly #meters: Meters
  readonly #random: Random
  /** Has part of its prompt prefilled; goes on in the next step. */
  #partial: SimRequest | null = null
  /** The queue's head found no room: it is not tried again before a request leaves. */
  #full = false
  #decodeSteps = 0
  #outputs: Output[] = []

  constructor(profile: Profile, meters: Meters, random: Random) {
    this.#profile = profile
    this.#meters = meters
    this.#random = random
    this.pool = new KvPool(profile.limits.kvPoolTokens, profile.limits.pageTokens)
    this.maxRunning = effectiveMaxRunning(profile.limits)
    this.published = { ...this.gauges(), tokensPerSecond: 0 }
  }

  /** Starts the next step at `now`; null when there is nothing to do. */
  start(now: number): Step | null {
    const parts = this.#formPrefill(now)
    if (parts.length > 0) {
      this.published = { ...this.gauges(parts), tokensPerSecond: this.published.tokensPerSecond }
      return { kind: 'prefill', endsAt: now + this.#jittered(prefillMs(this.#profile.prefill, parts)), parts }
    }
    this.#makeRoom(now)
    if (this.running.length > 0) {
      const context = this.running.reduce((sum, request) => sum + sequenceTokens(request), 0)
      const ms = decodeMs(this.#profile.decode, this.running.length, context)
      return { kind: 'decode', endsAt: now + this.#jittered(ms) }
    }
    // Giving up the last one may have made room for the queue.
    if (this.waiting.length > 0) return this.start(now)
    this.newTokenRatio.reset()
    this.published = { ...this.gauges(), tokensPerSecond: 0 }
    return null
  }

  /** Books what the step did. */
  finish(step: Step): void {
    if (step.kind === 'prefill') this.#finishPrefill(step.parts, step.endsAt)
    else this.#finishDecode(step.endsAt)
  }

  /** Puts a tokenized request at the queue's end. */
  enqueue(request: SimRequest, now: number): void {
    if (request.aborting) this.#emit(request, 0, now)
    else this.waiting.push(request)
  }

  /** Ends a queued request at once; one that a step holds is let go when the step is over. */
  abort(request: SimRequest, now: number): void {
    request.aborting = true
    if (remove(this.waiting, request)) this.#emit(request, 0, now)
  }

  /** Hands over what was emitted since the last call. */
  takeOutputs(): Output[] {
    const outputs = this.#outputs
    this.#outputs = []
    return outputs
  }

  /** The gauges as they would be published now. */
  gauges(prefill: readonly PrefillPart[] = []): Gauges {
    return readGauges(this, this.#profile.limits.state, prefill)
  }

  #formPrefill(now: number): PrefillPart[] {
    const pledged = this.running.reduce((sum, request) => sum + pledgedTokens(request), 0)
    const batch = new PrefillBatch(this.pool, this.#profile.limits, pledged * this.newTokenRatio.value)
    if (this.#partial !== null) batch.resume(this.#partial)
    for (const request of this.#full ? [] : [...this.waiting]) {
      const roomy = this.running.length + batch.parts.length < this.maxRunning
      const verdict = roomy ? batch.admit(request, this.running.length === 0) : 'server-full'
      this.#full = verdict === 'server-full'
      if (verdict !== 'added') break
      this.waiting.shift()
      this.#meters.realtime.prefillCache += request.kvTokens
      if (request.firstTokenAt === null) this.#meters.queueSeconds.observe((now - request.queuedAt) / 1000)
    }
    this.#partial = batch.partial
    for (const { newTokens } of batch.parts) this.#meters.realtime.prefillCompute += newTokens
    return batch.parts
  }

  #finishPrefill(parts: readonly PrefillPart[], at: number): void {
    for (const { request, newTokens } of parts) {
      request.kvTokens += newTokens
      this.#publishPages(request, Math.min(request.kvTokens, request.prompt.tokens))
      if (request !== this.#partial) {
        this.running.push(request)
        this.#emit(request, 1, at)
      } else if (request.aborting) {
        this.#partial = null
        this.#emit(request, 0, at)
      }
    }
  }

  #finishDecode(at: number): void {
    this.newTokenRatio.decay()
    const given = this.running.map(request => {
      const accepted = acceptedTokens(this.#profile.speculative, request.random)
      const tokens = Math.min(accepted, remainingTokens(request))
      request.kvTokens += tokens
      this.pool.cover(request.lease, request.kvTokens)
      this.decodeMeter.add(tokens)
      this.#meters.realtime.decode += tokens
      return { request, tokens }
    })
    this.#decodeSteps++
    if (this.#decodeSteps % DECODE_LOG_INTERVAL === 0) {
      this.decodeMeter.publish(at)
      // Before the finished ones leave, as in SGLang: the gauge counts them once more.
      this.published = { ...this.gauges(), tokensPerSecond: this.decodeMeter.tokensPerSecond }
    }
    for (const { request, tokens } of given) this.#emit(request, tokens, at)
  }

  /** Retracts requests until the others have KV for one more step; the last one left is given up, as in SGLang. */
  #makeRoom(now: number): void {
    const stepTokens = this.#profile.speculative?.draftTokens ?? 1
    const before = this.running.length
    while (!canDecode(this.pool, this.running, stepTokens)) {
      const victim = retractionVictim(this.running)
      if (victim === undefined) return
      if (this.running.length > 1) {
        this.#retract(victim)
      } else {
        victim.aborting = true
        this.#emit(victim, 0, now)
      }
    }
    if (this.running.length < before) this.newTokenRatio.raise(this.running)
  }

  #retract(request: SimRequest): void {
    remove(this.running, request)
    this.pool.release(request.lease)
    request.kvTokens = 0
    this.waiting.push(request)
    this.#full = false
    this.#meters.retracted.requests++
    this.#meters.retracted.inputTokens += request.prompt.tokens
    this.#meters.retracted.outputTokens += request.outputTokens
  }

  #emit(request: SimRequest, tokens: number, at: number): void {
    if (tokens > 0) {
      this.#meters.tokensEmitted(request, tokens, at)
      request.outputTokens += tokens
      request.firstTokenAt ??= at
      request.lastTokenAt = at
    }
    const finish = finishReason(request)
    this.#outputs.push({ request, at, tokens, finish })
    if (finish !== null) this.#leave(request, finish, at)
  }

  #leave(request: SimRequest, reason: FinishReason, at: number): void {
    remove(this.running, request)
    this.#full = false
    this.#publishPages(request, request.kvTokens)
    this.pool.release(request.lease)
    this.#meters.requestFinished(request, reason, at)
  }

  /** Lets others share the request's full pages among its first `tokens`. */
  #publishPages(request: SimRequest, tokens: number): void {
    const pages = Math.floor(tokens / this.pool.pageTokens)
    this.pool.publish(request.lease, pages, page => pageHash(request, page))
  }

  #jittered(ms: number): number {
    const { jitter } = this.#profile
    return jitter === 0 ? ms : ms * Math.max(0.5, 1 + jitter * normal(this.#random))
  }
}

function remove<T>(list: T[], item: T): boolean {
  const place = list.indexOf(item)
  if (place >= 0) list.splice(place, 1)
  return place >= 0
}
