import type { Scheduler } from '../engine/scheduler.ts'
import type { Dialect } from './dialect.ts'

/** One rank's gauges as a version of SGLang publishes them. */
export class PublishedGauges {
  readonly #scheduler: Scheduler
  readonly #dialect: Dialect
  #last: Scheduler['published']
  #lastBusy: Scheduler['published']
  #idleSince: number | null = null
  #retractedBefore = 0
  #retractedLately = 0

  constructor(scheduler: Scheduler, dialect: Dialect) {
    this.#scheduler = scheduler
    this.#dialect = dialect
    this.#last = scheduler.published
    this.#lastBusy = scheduler.published
  }

  /** To be called whenever the engine has moved on. */
  observe(now: number): void {
    const { published, step, meters } = this.#scheduler
    if (step === null) this.#idleSince ??= now
    else {
      this.#idleSince = null
      this.#lastBusy = published
    }
    if (published === this.#last) return
    this.#last = published
    this.#retractedLately = meters.retracted.requests - this.#retractedBefore
    this.#retractedBefore = meters.retracted.requests
  }

  /** The gauges at `now` (ms), and the requests retracted between the last two publications. */
  read(now: number): Scheduler['published'] & { readonly retracted: number } {
    const isStale = this.#idleSince !== null && now - this.#idleSince < this.#dialect.staleGaugesMs
    const shown = isStale ? this.#lastBusy : this.#scheduler.published
    const tokensPerSecond = this.#dialect.stickyThroughput
      ? this.#scheduler.decodeMeter.tokensPerSecond
      : shown.tokensPerSecond
    return { ...shown, tokensPerSecond, retracted: this.#retractedLately }
  }
}
