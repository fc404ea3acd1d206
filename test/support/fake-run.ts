import type { Ask, RunEvent } from '../../src/domain/events.ts'
import { foldRun, reduceRun } from '../../src/domain/reduce-run.ts'
import type { RunState } from '../../src/domain/run-state.ts'
import type { Run } from '../../src/runner/run.ts'

/** A run whose events and clock the test sets. */
export class FakeRun implements Run {
  state: RunState
  readonly asked: Ask[] = []
  private at: number
  private readonly listeners = new Set<(event: RunEvent, state: RunState) => void>()

  constructor(events: readonly RunEvent[], at: number) {
    this.state = foldRun(events)
    this.at = at
  }

  now(): number {
    return this.at
  }

  advance(ms: number): void {
    this.at += ms
  }

  append(event: RunEvent): void {
    this.state = reduceRun(this.state, event)
    for (const listener of this.listeners) listener(event, this.state)
  }

  subscribe(listener: (event: RunEvent, state: RunState) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  ask(wish: Ask): void {
    this.asked.push(wish)
  }
}
