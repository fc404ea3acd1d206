import type { Engine } from '../engine/engine.ts'
import type { Output, SimRequest, Submission } from '../engine/sim-request.ts'

type Listener = (output: Output) => void

/** Runs the engine against a clock (ms): sleeps until the next deadline, then hands each output to who asked for it. */
export class EngineDriver {
  readonly engine: Engine
  readonly clock: () => number
  /** Output tokens so far. */
  outputTokens = 0
  readonly #listeners = new Map<SimRequest, Listener>()
  readonly #watchers = new Set<(at: number) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #immediate: ReturnType<typeof setImmediate> | undefined

  constructor(engine: Engine, clock: () => number) {
    this.engine = engine
    this.clock = clock
  }

  /** Requests that have not finished. */
  get liveRequests(): number {
    return this.#listeners.size
  }

  /** Starts a request; what `listen` makes for it is called once for each step that gives it tokens or ends it. */
  submit(submission: Submission, listen: (request: SimRequest) => Listener): void {
    const now = this.clock()
    this.#deliver(now)
    const request = this.engine.submit(submission, now)
    this.#listeners.set(request, listen(request))
    this.#schedule()
  }

  /** Aborts every live request whose id begins with `ridPrefix`. */
  abort(ridPrefix: string): void {
    const now = this.clock()
    this.#deliver(now)
    this.engine.abort(ridPrefix, now)
    this.#deliver(now)
    this.#schedule()
  }

  /** Calls back with the time whenever the engine has moved on, until the returned function is called. */
  watch(watcher: (at: number) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Forgets everything that is under way. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#listeners.clear()
  }

  /** Goes from event to event, so that whoever watches sees each. */
  #deliver(now: number): void {
    for (let at = this.engine.nextAt(); at !== null && at < now; at = this.engine.nextAt()) this.#advance(at)
    this.#advance(now)
  }

  #advance(at: number): void {
    for (const output of this.engine.advanceTo(at)) {
      this.outputTokens += output.tokens
      this.#listeners.get(output.request)?.(output)
      if (output.finish !== null) this.#listeners.delete(output.request)
    }
    for (const watcher of this.#watchers) watcher(at)
  }

  /**
   * Deadlines are absolute: a late wake-up shortens the next sleep, so that steps do not drift. Timers come up to two
   * milliseconds late; the last two are waited out turn by turn.
   */
  #schedule(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    const at = this.engine.nextAt()
    if (at === null || this.#isStopped) return
    const wake = () => {
      if (this.clock() < at) {
        this.#immediate = setImmediate(wake)
        return
      }
      this.#deliver(this.clock())
      this.#schedule()
    }
    const waitMs = Math.floor(at - this.clock()) - 1
    if (waitMs >= 1) this.#timer = setTimeout(wake, waitMs)
    else this.#immediate = setImmediate(wake)
  }
}
