import type { SimRequest } from './sim-request.ts'

/** SGLang's defaults at schedule_conservativeness 1. */
const initial = 0.7
const minimum = initial * 0.14
const decaySteps = 600
/** Decode steps that a retraction should buy (SGLANG_RETRACT_DECODE_STEPS). */
const retractSteps = 20

/** The share of its allowed output that a running request is expected to use; what admission bets on. */
export class NewTokenRatio {
  #value = initial

  get value(): number {
    return this.#value
  }

  decay(): void {
    this.#value = Math.max(this.#value - (initial - minimum) / decaySteps, minimum)
  }

  reset(): void {
    this.#value = initial
  }

  /** After a retraction, from the requests that stay: what they used so far, and a little more. */
  raise(staying: readonly SimRequest[]): void {
    const decoded = staying.reduce((sum, request) => sum + request.outputTokens, 0)
    const allowed = staying.reduce((sum, request) => sum + request.maxNewTokens, 0)
    this.#value = Math.min(1, (decoded + retractSteps * staying.length) / (allowed + 1))
  }
}
