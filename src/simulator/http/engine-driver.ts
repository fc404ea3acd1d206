import type { Engine } from '../engine/engine.ts'
import type { Output, SimRequest, Submission } from '../engine/sim-request.ts'

/** Runs the engine against a clock (ms): sleeps until the next deadline, then hands each output to who asked for it. */
export class EngineDriver {
  readonly engine: Engine
  readonly #clock: () => number
  readonly #listeners = new Map<SimRequest, (output: Output) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(engine: Engine, clock: () => number) {
    this.engine = engine
    this.#clock = clock
  }

  /** Starts a request; `listen` is called once for each step that gives it tokens or ends it. */
  submit(submission: Submission, listen: (output: Output) => void): void {
    const now = this.#clock()
    this.#deliver(now)
    const request = this.engine.submit(submission, now)
    this.#listeners.set(request, listen)
    this.#schedule()
  }

  /** Aborts every live request whose id begins with `ridPrefix`. */
  abort(ridPrefix: string): void {
    const now = this.#clock()
    this.#deliver(now)
    this.engine.abort(ridPrefix, now)
    this.#deliver(now)
    this.#schedule()
  }

  #deliver(now: number): void {
    for (const output of this.engine.advanceTo(now)) {
      this.#listeners.get(output.request)?.(output)
      if (output.finish !== null) this.#listeners.delete(output.request)
    }
  }

  /** Deadlines are absolute: a late wake-up shortens the next sleep, so that steps do not drift. */
  #schedule(): void {
    clearTimeout(this.#timer)
    const at = this.engine.nextAt()
    if (at === null) return
    const waitMs = Math.max(0, Math.ceil(at - this.#clock()))
    this.#timer = setTimeout(() => {
      this.#deliver(this.#clock())
      this.#schedule()
    }, waitMs)
  }
}
