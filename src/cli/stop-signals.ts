export type StopHandlers = {
  /** The first time: end softly, keep what was measured. */
  readonly onStop: () => void
  /** The second time: save and go at once. */
  readonly onStopNow: () => void
  /** The terminal is gone; the run goes on without it. */
  readonly onHangUp: () => void
}

/** A terminal's Ctrl-C reaches the launcher and its child alike, and the launcher passes it on: both are one wish. */
const sameWishMs = 300

/** SIGINT, SIGTERM and Ctrl-C as wishes of the operator; the same wish a second time means now. */
export class StopSignals {
  stoppedBy: 'SIGINT' | 'SIGTERM' = 'SIGINT'
  readonly #handlers: StopHandlers
  #askedAt: number | null = null
  readonly #onInterrupt = () => this.#ask('SIGINT')
  readonly #onTerminate = () => this.#ask('SIGTERM')
  readonly #onHangUp = () => this.#handlers.onHangUp()

  constructor(handlers: StopHandlers) {
    this.#handlers = handlers
    process.on('SIGINT', this.#onInterrupt)
    process.on('SIGTERM', this.#onTerminate)
    process.on('SIGHUP', this.#onHangUp)
  }

  /** Ctrl-C where the terminal sends no signal for it. */
  interrupt(): void {
    this.#ask('SIGINT')
  }

  close(): void {
    process.off('SIGINT', this.#onInterrupt)
    process.off('SIGTERM', this.#onTerminate)
    process.off('SIGHUP', this.#onHangUp)
  }

  #ask(signal: 'SIGINT' | 'SIGTERM'): void {
    const now = performance.now()
    if (this.#askedAt === null) {
      this.#askedAt = now
      this.stoppedBy = signal
      this.#handlers.onStop()
    } else if (now - this.#askedAt > sameWishMs) this.#handlers.onStopNow()
  }
}
