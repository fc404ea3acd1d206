import { maxSequenceTokens, type Profile } from '../profile.ts'
import { derivedSeed, seededRandom } from '../random.ts'
import { Meters } from './meters.ts'
import { Scheduler, type Step } from './scheduler.ts'
import { createRequest, type Output, type SimRequest, type Submission } from './sim-request.ts'

/**
 * The simulated inference engine, without a clock of its own: all times are ms that the caller names, and never go back. The same
 * profile, seed and calls give the same outputs.
 */
export class Engine {
  readonly profile: Profile
  readonly meters = new Meters()
  readonly scheduler: Scheduler
  readonly #seed: number
  readonly #live = new Map<string, SimRequest>()
  /** In the tokenizer or in the host's fixed cost, in order of `queuedAt`. */
  readonly #arriving: SimRequest[] = []
  #tokenizerFreeAt = 0
  #submitted = 0
  #step: Step | null = null

  constructor(profile: Profile, seed: number) {
    this.profile = profile
    this.#seed = seed
    this.scheduler = new Scheduler(profile, this.meters, seededRandom(seed))
  }

  /** Whether a request of this id is not finished yet. */
  isLive(rid: string): boolean {
    return this.#live.has(rid)
  }

  /** Takes in a request; it joins the queue when tokenizer and host are done with it. */
  submit(submission: Submission, now: number): SimRequest {
    const { tokenizerUs, requestMs } = this.profile.host
    const tokenizeMs = (submission.prompt.tokens * tokenizerUs) / 1000
    this.#tokenizerFreeAt = Math.max(now, this.#tokenizerFreeAt) + tokenizeMs
    const serial = this.#submitted++
    const room = maxSequenceTokens(this.profile.limits) - submission.prompt.tokens
    const request = createRequest(submission, {
      // SGLang cuts the output to what the context or the whole pool can hold.
      maxNewTokens: Math.min(submission.maxNewTokens, room),
      serial,
      arrivedAt: now,
      queuedAt: this.#tokenizerFreeAt + requestMs,
      seed: derivedSeed(this.#seed, serial),
    })
    this.#live.set(request.rid, request)
    this.#arriving.push(request)
    return request
  }

  /** Aborts every live request whose id begins with `ridPrefix`, as SGLang's scheduler matches. */
  abort(ridPrefix: string, now: number): void {
    for (const [rid, request] of this.#live) if (rid.startsWith(ridPrefix)) this.scheduler.abort(request, now)
  }

  /** Empties the prefix cache; false, and nothing done, unless the scheduler is idle. */
  flush(): boolean {
    if (this.#step !== null || this.scheduler.waiting.length > 0) return false
    this.scheduler.pool.flush()
    return true
  }

  /** When something happens next, in ms; null when idle. */
  nextAt(): number | null {
    const arrivesAt = this.#arriving[0]?.queuedAt
    if (this.#step === null) return arrivesAt ?? null
    return Math.min(this.#step.endsAt, arrivesAt ?? Number.POSITIVE_INFINITY)
  }

  /** Does everything due until `now`, in order; each step starts when the one before ended, however late the call. */
  advanceTo(now: number): Output[] {
    for (let at = this.nextAt(); at !== null && at <= now; at = this.nextAt()) {
      if (this.#step !== null && this.#step.endsAt <= at) {
        this.scheduler.finish(this.#step)
        this.#step = null
      } else {
        const request = this.#arriving.shift()
        if (request !== undefined) this.scheduler.enqueue(request, at)
      }
      this.#step ??= this.scheduler.start(at)
    }
    const outputs = this.scheduler.takeOutputs()
    for (const { request, finish } of outputs) if (finish !== null) this.#live.delete(request.rid)
    return outputs
  }
}
