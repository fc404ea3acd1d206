import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Int32Histogram } from 'hdr-histogram-js'
import { mergeGaps } from '../domain/gap-histogram.ts'
import { binMs, type ClientHealth, type GapHistogram, type Window } from '../domain/load-record.ts'
import type { RawCounts } from './messages.ts'

/** Longest gap that the histogram tells apart, µs: ten minutes. */
const longestGap = 600_000_000
const gapDigits = 3

/**
 * Counts what arrives inside one window, slice by slice, and the gaps between chunks. Chunks are stamped when their
 * bytes arrive; whatever the stamp says decides, not when it is counted.
 */
export class WindowCounter {
  readonly window: Window
  readonly #tokens: number[]
  readonly #uncounted: number[]
  readonly #bins: number[]
  readonly #uncountedBins: number[]
  readonly #gapThirds = [0, 1, 2].map(() => new Int32Histogram(1, longestGap, gapDigits))
  readonly #health: HealthProbe
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #final = { tokens: 0, chunks: 0 }

  constructor(window: Window, now: number) {
    this.window = window
    this.#health = new HealthProbe(now - window.from)
    this.#tokens = emptySlices(window)
    this.#uncounted = emptySlices(window)
    this.#bins = emptySlices({ ...window, sliceMs: binMs })
    this.#uncountedBins = emptySlices({ ...window, sliceMs: binMs })
    this.#timers = [
      setTimeout(() => this.#health.start(window.from), Math.max(0, window.from - now)),
      setTimeout(() => this.#health.stop(), Math.max(0, window.to - now)),
    ]
  }

  holds(at: number): boolean {
    return at >= this.window.from && at < this.window.to
  }

  /** A chunk inside the window; `tokens` is `null` where the server has not told them. `gapMs`: since the stream's last one. */
  count(at: number, tokens: number | null, gapMs: number | null): void {
    const { from, to, sliceMs } = this.window
    addAt(tokens === null ? this.#uncounted : this.#tokens, (at - from) / sliceMs, tokens ?? 1)
    addAt(tokens === null ? this.#uncountedBins : this.#bins, (at - from) / binMs, tokens ?? 1)
    if (gapMs === null) return
    const third = Math.floor((3 * (at - from)) / (to - from))
    this.#gapThirds[third]?.recordValue(Math.min(longestGap, Math.max(0, Math.round(gapMs * 1000))))
  }

  /** A request of the cell told its tokens only at its end. */
  learnFinalUsage(tokens: number, chunks: number): void {
    this.#final.tokens += tokens
    this.#final.chunks += chunks
  }

  /** The counts, for the part of the window before `now`. */
  close(now: number): RawCounts | null {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#health.stop()
    const { from, to } = this.window
    const end = Math.min(to, now)
    if (end <= from) return null
    const window = { ...this.window, to: end }
    const slices = emptySlices(window).length
    const bins = emptySlices({ ...window, sliceMs: binMs }).length
    const gapThirds = this.#gapThirds.map(gapHistogram)
    return {
      window,
      sliceTokens: this.#tokens.slice(0, slices),
      sliceChunksUncounted: this.#uncounted.slice(0, slices),
      binTokens: this.#bins.slice(0, bins),
      binChunksUncounted: this.#uncountedBins.slice(0, bins),
      gaps: mergeGaps(gapThirds),
      gapThirds,
      client: this.#health.result(),
      finalUsage: this.#final,
    }
  }
}

function addAt(counts: number[], position: number, amount: number): void {
  const index = Math.min(counts.length - 1, Math.floor(position))
  counts[index] = (counts[index] ?? 0) + amount
}

function gapHistogram(histogram: Int32Histogram): GapHistogram {
  const gaps: [number, number][] = []
  const values = histogram.recordedValuesIterator
  values.reset()
  while (values.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = values.next()
    gaps.push([histogram.medianEquivalentValue(valueIteratedTo), countAddedInThisIterationStep])
  }
  return gaps
}

/** Zeros for all slices, a cut one at the end included; but not for one that only rounding makes. */
function emptySlices({ from, to, sliceMs }: Window): number[] {
  return Array.from({ length: Math.ceil((to - from) / sliceMs - 1e-6) }, () => 0)
}

/** How late this thread's event loop was, and how busy, while the window was open. */
class HealthProbe {
  /** The probe's own timer adds its resolution to every delay. At 1 ms its wake-ups cost a fifth of the CPU of 128 streams. */
  readonly #resolutionMs = 2
  readonly #delay = monitorEventLoopDelay({ resolution: this.#resolutionMs })
  #utilisation: ReturnType<typeof performance.eventLoopUtilization> | null = null
  #measured: number | null = null
  #dueAt = 0
  /** Windows are announced ahead: a thread that heard of one after its opening was late by more than this, ms. */
  readonly #heardLateMs: number
  /** A thread whose loop never turned while the window was open was late by all of it. */
  #stuckMs = 0

  constructor(heardLateMs: number) {
    this.#heardLateMs = Math.max(0, heardLateMs)
  }

  start(dueAt: number): void {
    this.#dueAt = dueAt
    this.#delay.enable()
    this.#utilisation = performance.eventLoopUtilization()
  }

  stop(): void {
    this.#delay.disable()
    if (this.#utilisation === null || this.#measured !== null) return
    this.#measured = performance.eventLoopUtilization(this.#utilisation).utilization
    this.#stuckMs = performance.now() - this.#dueAt
  }

  result(): ClientHealth {
    if (this.#measured === null)
      return { loopDelayP99Ms: this.#heardLateMs || null, loopUtilisation: null, workers: 1 }
    const p99 =
      this.#delay.count === 0 ? this.#stuckMs : this.#delay.percentile(99) / 1e6 - this.#resolutionMs
    return { loopDelayP99Ms: Math.max(p99, this.#heardLateMs), loopUtilisation: this.#measured, workers: 1 }
  }
}
