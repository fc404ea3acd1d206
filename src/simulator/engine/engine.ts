import { maxSequenceTokens, type Profile } from '../profile.ts'
import { derivedSeed, seededRandom } from '../random.ts'
import { Dispatcher } from './dispatcher.ts'
import { Meters } from './meters.ts'
import { Scheduler } from './scheduler.ts'
import { createRequest, type Output, type SimRequest, type Submission } from './sim-request.ts'
import { recordStep, type StepRecord } from './step.ts'

/**
 * The simulated inference engine, without a clock of its own: all times are ms that the caller names, and never go back. The same
 * profile, seed and calls give the same steps and outputs.
 */
export class Engine {
  readonly profile: Profile
  readonly meters = new Meters()
  /** One scheduler with a KV pool for each data-parallel rank; at least one. */
  readonly ranks: readonly Scheduler[]
  /** Rank 0. */
  readonly scheduler: Scheduler
  readonly #seed: number
  readonly #onStep: ((record: StepRecord) => void) | null
  readonly #dispatcher: Dispatcher
  readonly #live = new Map<string, SimRequest>()
  /** In the tokenizer or in the host's fixed cost, in order of `queuedAt`. */
  readonly #arriving: SimRequest[] = []
  #tokenizerFreeAt = 0
  #submitted = 0
  #outputs: Output[] = []

  /** `onStep` is told of every finished step, in order. */
  constructor(profile: Profile, seed: number, onStep: ((record: StepRecord) => void) | null = null) {
    this.profile = profile
    this.#seed = seed
    this.#onStep = onStep
    const server = { meters: this.meters, emit: (output: Output) => void this.#outputs.push(output) }
    const rank = (index: number) =>
      new Scheduler(index, profile, server, seededRandom(derivedSeed(seed, -1 - index)))
    this.scheduler = rank(0)
    this.ranks = [
      this.scheduler,
      ...Array.from({ length: profile.launch.dataParallel - 1 }, (_, i) => rank(i + 1)),
    ]
    this.#dispatcher = new Dispatcher(this.ranks, profile.launch.loadBalance)
  }

  /** Whether a request of this id is not finished yet. */
  isLive(rid: string): boolean {
    return this.#live.has(rid)
  }

  /**
   * Takes in a request; it joins a rank's queue when tokenizer and host are done with it. Throws RangeError for a data-parallel
   * rank that is not there.
   */
  submit(submission: Submission, now: number): SimRequest {
    const { host, limits, launch, speculative } = this.profile
    const { dpRank = 0, streamInterval = launch.streamInterval } = submission
    if (this.ranks[dpRank] === undefined) throw new RangeError(`there is no data-parallel rank ${dpRank}`)
    const tokenizeMs = (submission.prompt.tokens * host.tokenizerUs) / 1000
    this.#tokenizerFreeAt = Math.max(now, this.#tokenizerFreeAt) + tokenizeMs
    const serial = this.#submitted++
    const room = maxSequenceTokens(limits) - submission.prompt.tokens
    const request = createRequest(submission, speculative, {
      // SGLang cuts the output to what the context or the whole pool can hold.
      maxNewTokens: Math.min(submission.maxNewTokens, room),
      streamInterval,
      serial,
      arrivedAt: now,
      queuedAt: this.#tokenizerFreeAt + host.requestMs,
      seed: derivedSeed(this.#seed, serial),
    })
    this.#live.set(request.rid, request)
    this.#arriving.push(request)
    return request
  }

  /** Aborts every live request whose id begins with `ridPrefix`, as SGLang's scheduler matches. */
  abort(ridPrefix: string, now: number): void {
    for (const [rid, request] of this.#live) {
      if (!rid.startsWith(ridPrefix)) continue
      if (request.rank === null) request.aborting = true
      else this.ranks[request.rank]?.abort(request, now)
    }
  }

  /** Empties the prefix cache of all ranks; false, and nothing done, unless every one is idle. */
  flush(): boolean {
    if (this.ranks.some(({ step, requests }) => step !== null || requests > 0)) return false
    for (const { pool } of this.ranks) pool.flush()
    return true
  }

  /** When something happens next, in ms; null when idle. */
  nextAt(): number | null {
    const at = Math.min(
      this.#arriving[0]?.queuedAt ?? Number.POSITIVE_INFINITY,
      ...this.ranks.map(({ step }) => step?.endsAt ?? Number.POSITIVE_INFINITY),
    )
    return Number.isFinite(at) ? at : null
  }

  /** Does everything due until `now`, in order; each step starts when the one before ended, however late the call. */
  advanceTo(now: number): Output[] {
    for (let at = this.nextAt(); at !== null && at <= now; at = this.nextAt()) {
      const rank = this.ranks.find(({ step }) => step !== null && step.endsAt === at)
      if (rank === undefined) this.#dispatch(at)
      else this.#endStep(rank)
    }
    const outputs = this.#outputs
    this.#outputs = []
    for (const { request, finish } of outputs) if (finish !== null) this.#live.delete(request.rid)
    return outputs
  }

  #dispatch(at: number): void {
    const request = this.#arriving.shift()
    if (request !== undefined) this.#dispatcher.rankFor(request)?.enqueue(request, at)
  }

  #endStep(rank: Scheduler): void {
    const { step } = rank
    const given = rank.endStep()
    if (step !== null) this.#onStep?.(recordStep(rank.rank, step, given))
  }
}
