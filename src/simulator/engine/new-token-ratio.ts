import type { SimRequest } from './sim-request.ts'

/** SGLang's defaults at schedule_conservativeness 1. */
const INITIAL = 0.7
const MINIMUM = INITIAL * 0.14
const DECAY_STEPS = 600
/** Decode steps that a retraction should buy (SGLANG_RETRACT_DECODE_STEPS). */
const RETRACT_STEPS = 20

/** The share of its allowed output that a running request is expected to use; what admission bets on. */
export class NewTokenRatio {
  #value = INITIAL

  get value(): number {
    return this.#value
  }

  decay(): void {
    this.#value = Math.max(this.#value - (INITIAL - MINIMUM) / DECAY_STEPS, MINIMUM)
  }

  reset(): void {
    this.#value = INITIAL
  }

  /** After a retraction, from the requests that stay: what they used so far, and a little more. */
  raise(staying: readonly SimRequest[]): void {
    const decoded = staying.reduce((sum, request) => sum + request.outputTokens, 0)
    const allowed = staying.reduce((sum, request) => sum + request.maxNewTokens, 0)
    this.#value = Math.min(1, (decoded + RETRACT_STEPS * staying.length) / (allowed + 1))
  }
}
