import { effectiveMaxRunning, type Profile } from '../profile.ts'
import { normal, type Random } from '../random.ts'
import { DecodeMeter } from './decode-meter.ts'
import { type Gauges, readGauges } from './gauges.ts'
import { KvPool } from './kv-pool.ts'
import { RankMeters } from './meters.ts'
import { NewTokenRatio } from './new-token-ratio.ts'
import { PrefillBatch, type PrefillPart, pledgedTokens } from './prefill-batch.ts'
import { canDecode, retractionVictim } from './retraction.ts'
import { decodableTokens, type FinishReason, pageHash, type SimRequest } from './sim-request.ts'
import type { Given, Step } from './step.ts'
import { decodeMs, prefillMs } from './step-cost.ts'
import { giveTokens, type HttpSide } from './stream-output.ts'
import { removeFrom, WaitingQueue } from './waiting-queue.ts'

/** Decode steps between two publications of the gauges (SGLang's --decode-log-interval). */
export const decodeLogInterval = 40

/** The scheduler of one data-parallel rank: first come first served, prefill before decode, one step at a time. */
export class Scheduler {
  readonly rank: number
  readonly pool: KvPool
  readonly maxRunning: number
  readonly meters = new RankMeters()
  readonly newTokenRatio = new NewTokenRatio()
  readonly decodeMeter = new DecodeMeter()
  readonly running: SimRequest[] = []
  /** Gauges as last published: at each prefill step, each 40th decode step, and when it all ends. */
  published: Gauges & { readonly tokensPerSecond: number }
  readonly #profile: Profile
  readonly #http: HttpSide
  readonly #random: Random
  readonly #queue = new WaitingQueue()
  #step: Step | null = null
  /** Has part of its prompt prefilled; goes on in the next step. */
  #partial: SimRequest | null = null
  /** The queue's head found no room: it is not tried again before a request leaves. */
  #full = false
  #decodeSteps = 0

  constructor(rank: number, profile: Profile, http: HttpSide, random: Random) {
    this.rank = rank
    this.#profile = profile
    this.#http = http
    this.#random = random
    this.pool = new KvPool(profile.limits.kvPoolTokens, profile.limits.pageTokens)
    this.maxRunning = effectiveMaxRunning(profile.limits)
    this.published = { ...this.gauges(), tokensPerSecond: 0 }
  }

  /** What the GPU is at; null when idle. */
  get step(): Step | null {
    return this.#step
  }

  /** Requests that found no room yet. */
  get waiting(): readonly SimRequest[] {
    return this.#queue.waiting
  }

  /** Requests that were sent here and are not over. */
  get requests(): number {
    const prefilling = this.#step?.kind === 'prefill' ? this.#step.parts : []
    const held = prefilling.filter(({ request }) => !request.isOver).length
    return this.running.length + this.#queue.length + held
  }

  /** Takes in a tokenized request; it is seen at once by an idle scheduler, else when the step under way ends. */
  enqueue(request: SimRequest, now: number): void {
    request.rank = this.rank
    if (request.aborting) this.#emit(request, 0, now)
    else this.#queue.add(request)
    if (this.#step === null) this.#start(now)
  }

  /**
   * Ends the step under way at its time and begins the next. With the overlap scheduler the next one is decided on before the
   * results of this one are known: who ends here takes part once more, for nothing, and who came meanwhile waits one step.
   */
  endStep(): Given[] {
    const step = this.#step
    if (step === null) return []
    const at = step.endsAt
    const given = step.kind === 'prefill' ? this.#endPrefill(step.parts) : this.#endDecode(step.requests, at)
    this.#step = null
    if (this.#profile.launch.overlap) {
      this.#decide(at)
      this.#book(given, at)
      this.#queue.see()
      // There was nothing to decide on: the scheduler goes round at once.
      if (this.#step === null) this.#decide(at)
    } else {
      this.#book(given, at)
      this.#start(at)
    }
    return given
  }

  /** Ends a waiting request at once; one that a step holds is let go when the step is over. */
  abort(request: SimRequest, now: number): void {
    request.aborting = true
    if (this.#queue.remove(request)) this.#emit(request, 0, now)
  }

  /** The gauges as they would be published now. */
  gauges(prefill: readonly PrefillPart[] = []): Gauges {
    return readGauges(this, this.#profile.limits.state, prefill)
  }

  /** Begins a step with all that is there. */
  #start(now: number): void {
    this.#queue.see()
    this.#decide(now)
  }

  /** Begins a step with what is seen so far. */
  #decide(now: number): void {
    this.#queue.open()
    this.#step = this.#nextStep(now)
  }

  #nextStep(now: number): Step | null {
    const parts = this.#formPrefill(now)
    if (parts.length > 0) {
      this.published = { ...this.gauges(parts), tokensPerSecond: this.published.tokensPerSecond }
      const ms = this.#jittered(prefillMs(this.#profile.prefill, parts))
      return { kind: 'prefill', startsAt: now, endsAt: now + ms, parts }
    }
    this.#makeRoom(now)
    if (this.running.length > 0) {
      this.newTokenRatio.decay()
      const held = this.running.reduce((sum, { kvTokens }) => sum + kvTokens + 1, 0)
      const ms = this.#jittered(decodeMs(this.#profile.decode, this.running.length, held))
      return { kind: 'decode', startsAt: now, endsAt: now + ms, requests: [...this.running] }
    }
    // Giving up the last one may have made room for the queue.
    if (this.waiting.length > 0) return this.#nextStep(now)
    this.newTokenRatio.reset()
    this.published = { ...this.gauges(), tokensPerSecond: 0 }
    return null
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
      this.#queue.remove(request)
      this.meters.realtime.prefillCache += request.kvTokens
      if (request.firstTokenAt === null) this.meters.queueSeconds.observe((now - request.queuedAt) / 1000)
    }
    this.#partial = batch.partial
    for (const { newTokens } of batch.parts) this.meters.realtime.prefillCompute += newTokens
    return batch.parts
  }

  #endPrefill(parts: readonly PrefillPart[]): Given[] {
    return parts.flatMap(({ request, newTokens, completes }) => {
      if (request.isOver) return []
      request.kvTokens += newTokens
      this.#publishPages(request, Math.min(request.kvTokens, request.prompt.tokens))
      if (completes) this.running.push(request)
      return [{ request, tokens: completes ? 1 : 0 }]
    })
  }

  #endDecode(requests: readonly SimRequest[], at: number): Given[] {
    const given = requests.flatMap(request => {
      if (request.isOver) return []
      const tokens = Math.min(request.source.next(requests.length), decodableTokens(request))
      request.kvTokens += tokens
      this.pool.cover(request.lease, request.kvTokens)
      this.decodeMeter.add(tokens)
      this.meters.realtime.decode += tokens
      this.meters.verifyCalls++
      return [{ request, tokens }]
    })
    this.#decodeSteps++
    if (this.#decodeSteps % decodeLogInterval === 0) {
      this.decodeMeter.publish(at)
      // Before the finished ones leave, as in SGLang: the gauge counts them once more.
      this.published = { ...this.gauges(), tokensPerSecond: this.decodeMeter.tokensPerSecond }
    }
    return given
  }

  /** Makes the results of a step known: tokens go out, who is finished leaves. */
  #book(given: readonly Given[], at: number): void {
    for (const { request, tokens } of given) {
      if (!request.isOver && (tokens > 0 || request.aborting)) this.#emit(request, tokens, at)
    }
  }

  /** Retracts requests until the others have KV for one more step; the last one left is given up, as in SGLang. */
  #makeRoom(now: number): void {
    const { speculative } = this.#profile
    const before = this.running.length
    while (!canDecode(this.pool, this.running, speculative?.draftTokens ?? 1)) {
      const victim = retractionVictim(this.running, speculative !== null)
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
    removeFrom(this.running, request)
    this.pool.release(request.lease)
    request.kvTokens = 0
    this.#queue.waiting.push(request)
    this.#full = false
    this.meters.retracted.requests++
    this.meters.retracted.inputTokens += request.prompt.tokens
    this.meters.retracted.outputTokens += request.outputTokens
  }

  #emit(request: SimRequest, tokens: number, at: number): void {
    const finish = giveTokens(request, tokens, at, this.#http)
    if (finish !== null) this.#leave(request, finish, at)
  }

  #leave(request: SimRequest, reason: FinishReason, at: number): void {
    request.isOver = true
    removeFrom(this.running, request)
    this.#queue.remove(request)
    if (this.#partial === request) this.#partial = null
    this.#full = false
    this.#publishPages(request, request.kvTokens)
    this.pool.release(request.lease)
    this.#http.meters.requestFinished(request, reason, at)
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
