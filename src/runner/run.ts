import type { Ask, RunEvent } from '../domain/events.ts'
import type { RunState } from '../domain/run-state.ts'

/** All that a view may hold of a run: it reads, it asks, it cannot write facts. */
export type Run = {
  readonly state: RunState
  now(): number
  /** Called after each event; returns how to stop listening. */
  subscribe(listener: (event: RunEvent, state: RunState) => void): () => void
  ask(wish: Ask): void
}
