import type { ServerSample } from '../domain/server-sample.ts'
import type { Clock, SamplerPort } from '../runner/ports.ts'
import type { Connection } from './connect.ts'
import { look, lookTimeoutMs } from './observe.ts'

const calmPaceMs = 1000
/** The metrics page is large and its gauges are slow: the looks in between read only the loads. */
const metricsEveryMs = 1000
/** Timers come late by different amounts. */
const toleranceMs = 50

/**
 * Looks at a server at a pace of its own, one look at a time; a look that outlasts the pace delays the next. Where the server
 * reports loads, its metrics are read once a second and at the times asked for, and the figures that only they have are
 * `null` in between.
 */
export function createSampler(connection: Connection, clock: Clock, timeoutMs = lookTimeoutMs): SamplerPort {
  const stopping = new AbortController()
  const { signal } = stopping
  let paceMs = calmPaceMs
  let wake = () => {}
  let isAwaited = false
  /** Times at which the counters are to be read, ascending. */
  let due: readonly number[] = []
  let ended: Promise<void> = Promise.resolve()

  async function run(onSample: (sample: ServerSample) => void): Promise<void> {
    let metricsAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const startedAt = clock.now()
      const isDue = due.some(at => at <= startedAt)
      due = due.filter(at => at > startedAt)
      const metrics =
        isDue || !connection.facts.features.loads || startedAt >= metricsAt + metricsEveryMs - toleranceMs
      if (metrics) metricsAt = startedAt
      const sample = await look(connection, clock, { metrics, timeoutMs, signal })
      if (signal.aborted) return
      onSample(sample)
      await sleepAfter(startedAt)
    }
  }

  /** Until the pace or a due time calls for the next look. */
  async function sleepAfter(startedAt: number): Promise<void> {
    isAwaited = false
    const paced = startedAt + paceMs
    while (!isAwaited && !signal.aborted) {
      const until = Math.min(paced, ...due)
      if (clock.now() >= until) return
      await new Promise<void>(resolve => {
        const cancel = clock.onTime(until, resolve)
        wake = () => {
          cancel()
          resolve()
        }
      })
    }
  }

  return {
    start: onSample => {
      ended = run(onSample)
    },
    setPace: everyMs => {
      const faster = everyMs < paceMs
      paceMs = everyMs
      if (!faster) return
      isAwaited = true
      wake()
    },
    lookAt: times => {
      due = [...due, ...times].sort((a, b) => a - b)
      wake()
    },
    stop: () => {
      stopping.abort()
      wake()
      return ended
    },
  }
}
