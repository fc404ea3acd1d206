import { Engine } from '../engine/engine.ts'
import type { Prompt } from '../engine/prompt.ts'
import type { Output, SimRequest, Submission } from '../engine/sim-request.ts'
import type { Profile } from '../profile.ts'
import { type Random, seededRandom } from '../random.ts'

/** A cell to be measured on an engine in virtual time. */
export type CellRun = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly maxOutputTokens: number
  readonly windowMs: number
  readonly seed: number
}

/** Prompts differ by up to so many tokens, so that not every one ends at the same place in its last page. */
const lengthSpread = 40

/** Holds the streams of a cell open on an engine, as tokgrid does on a server; its time is that of the engine's events, in ms. */
export class VirtualClient {
  now = 0
  /** When the first requests were sent. */
  launchedAt = 0
  readonly #engine: Engine
  readonly #run: CellRun
  readonly #random: Random
  readonly #prompts: readonly Prompt[]
  readonly #streams = new Map<SimRequest, number>()
  readonly #started = new Set<number>()

  constructor(profile: Profile, run: CellRun) {
    this.#engine = new Engine(profile, run.seed)
    this.#run = run
    this.#random = seededRandom(run.seed)
    this.#prompts = Array.from({ length: run.concurrency }, (_, stream) => {
      const tokens = run.contextTokens - Math.floor(this.#random() * lengthSpread)
      return uniquePrompt(stream, tokens, profile.limits.pageTokens)
    })
  }

  /** Whether every stream has had a token. */
  get allStarted(): boolean {
    return this.#started.size === this.#run.concurrency
  }

  /** Requests that the engine runs now. */
  get running(): number {
    return this.#engine.ranks.reduce((sum, rank) => sum + rank.running.length, 0)
  }

  /** Sends every prompt once, one after the other, so that all are cached. */
  warm(): void {
    for (const [stream, prompt] of this.#prompts.entries()) {
      this.#engine.submit(submission(`warm-${stream}`, prompt, 1), this.now)
      while (this.#engine.nextAt() !== null) this.#nextEvent()
    }
  }

  /** Sends the first requests, of evenly spread lengths. */
  launch(): void {
    this.launchedAt = this.now
    const { concurrency, maxOutputTokens } = this.#run
    const offset = this.#random()
    const places = this.#prompts.map((_, place) => ({ place, order: this.#random() }))
    for (const [stream, { place }] of places.toSorted((a, b) => a.order - b.order).entries())
      this.#send(stream, Math.max(1, Math.ceil(((place + offset) / concurrency) * maxOutputTokens)))
  }

  /** Goes to the engine's next event. A request that ends there is followed by one of full length. */
  advance(): Output[] {
    const outputs = this.#nextEvent()
    for (const { request, tokens, finish } of outputs) {
      const stream = this.#streams.get(request) ?? 0
      if (tokens > 0) this.#started.add(stream)
      if (finish === null) continue
      this.#streams.delete(request)
      this.#send(stream, this.#run.maxOutputTokens)
    }
    return outputs
  }

  #nextEvent(): Output[] {
    this.now = this.#engine.nextAt() ?? this.now
    return this.#engine.advanceTo(this.now)
  }

  #send(stream: number, maxNewTokens: number): void {
    const prompt = this.#prompts[stream]
    if (prompt === undefined) throw new RangeError(`no stream ${stream}`)
    const rid = `stream-${stream}-${this.now}`
    this.#streams.set(this.#engine.submit(submission(rid, prompt, maxNewTokens), this.now), stream)
  }
}

/** A prompt that shares no page with that of another stream. */
export function uniquePrompt(stream: number, tokens: number, pageTokens: number): Prompt {
  const pages = Math.floor(tokens / pageTokens)
  return {
    tokens,
    pageHashes: Float64Array.from({ length: pages }, (_, page) => (stream + 1) * 2 ** 24 + page),
  }
}

/** A streamed request that goes on to its last token. */
export function submission(rid: string, prompt: Prompt, maxNewTokens: number): Submission {
  return { rid, prompt, maxNewTokens, ignoreEos: true, streaming: true }
}
