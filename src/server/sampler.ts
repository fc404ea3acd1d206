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
 * reports loads, its metrics are read once a second at most, and the figures that only they have are `null` in between.
 */
export function createSampler(connection: Connection, clock: Clock, timeoutMs = lookTimeoutMs): SamplerPort {
  const stopping = new AbortController()
  const { signal } = stopping
  let paceMs = calmPaceMs
  let wake = () => {}
  let ended: Promise<void> = Promise.resolve()

  async function run(onSample: (sample: ServerSample) => void): Promise<void> {
    let metricsAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const startedAt = clock.now()
      const metrics =
        !connection.facts.features.loads || startedAt >= metricsAt + metricsEveryMs - toleranceMs
      if (metrics) metricsAt = startedAt
      const sample = await look(connection, clock, { metrics, timeoutMs, signal })
      if (signal.aborted) return
      onSample(sample)
      await sleepUntil(startedAt + paceMs)
    }
  }

  function sleepUntil(at: number): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const cancel = clock.onTime(at, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  }

  return {
    start: onSample => {
      ended = run(onSample)
    },
    setPace: everyMs => {
      const faster = everyMs < paceMs
      paceMs = everyMs
      if (faster) wake()
    },
    stop: () => {
      stopping.abort()
      wake()
      return ended
    },
  }
}
