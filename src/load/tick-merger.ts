import type { LoadTick } from '../domain/load-record.ts'
import type { RequestTrace } from '../domain/request-trace.ts'
import { sum } from '../domain/statistics.ts'

/** One tick for all threads whenever each of them has sent one or more. */
export class TickMerger {
  readonly #onTick: (tick: LoadTick) => void
  #perThread: readonly LoadTick[][]

  constructor(threads: number, onTick: (tick: LoadTick) => void) {
    this.#onTick = onTick
    this.#perThread = Array.from({ length: threads }, () => [])
  }

  add(thread: number, tick: LoadTick): void {
    const perThread = this.#perThread
    perThread[thread]?.push(tick)
    if (perThread.some(ticks => ticks.length === 0)) return
    this.#perThread = perThread.map(() => [])
    const all = perThread.flat()
    const latest = perThread.flatMap(ticks => ticks.slice(-1))
    this.#onTick({
      at: tick.at,
      spanMs: sum(all.map(one => one.spanMs)) / perThread.length,
      tokens: sum(all.map(one => one.tokens)),
      chunks: sum(all.map(one => one.chunks)),
      started: sum(latest.map(one => one.started)),
      active: sum(latest.map(one => one.active)),
      waiting: sum(latest.map(one => one.waiting)),
      ttftMs: all.flatMap(one => one.ttftMs),
      ended: all.flatMap(one => one.ended),
    })
  }

  /** The requests that ended in ticks which wait for another thread's, at the close. */
  rest(): readonly RequestTrace[] {
    const ended = this.#perThread.flat().flatMap(tick => tick.ended)
    this.#perThread = this.#perThread.map(() => [])
    return ended
  }
}
