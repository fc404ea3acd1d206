import type { Ask, RunEvent, RunFact } from '../domain/events.ts'
import { reduceRun } from '../domain/reduce-run.ts'
import { initialState, type RunState } from '../domain/run-state.ts'
import type { Clock } from './ports.ts'
import type { Run } from './run.ts'

/** The single source of truth of a run: facts go in, are stamped, folded into the state and told to every reader. */
export class EventLog implements Run {
  #state: RunState = initialState
  readonly #clock: Clock
  readonly #listeners = new Set<(event: RunEvent, state: RunState) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): RunState {
    return this.#state
  }

  now(): number {
    return this.#clock.now()
  }

  append(fact: RunFact): void {
    const event = { at: this.#clock.now(), ...fact }
    this.#state = reduceRun(this.#state, event)
    for (const listener of this.#listeners) listener(event, this.#state)
  }

  subscribe(listener: (event: RunEvent, state: RunState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  ask(wish: Ask): void {
    this.append({ kind: 'asked', ask: wish })
  }

  /** Resolves with the next event, at the latest when `until` (ms on the run's clock) has come or the signal aborts. */
  changed(until: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const wake = () => {
        unsubscribe()
        callOff()
        signal.removeEventListener('abort', wake)
        resolve()
      }
      signal.addEventListener('abort', wake)
      const unsubscribe = this.subscribe(wake)
      const callOff = Number.isFinite(until) ? this.#clock.onTime(until, wake) : () => {}
    })
  }
}
