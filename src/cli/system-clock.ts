import { performance } from 'node:perf_hooks'
import type { Clock } from '../runner/ports.ts'

/** The machine's monotonic clock; its base is the same in all threads of the process, so that their stamps compare. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => new Date().toISOString(),
  onTime: (at, wake) => {
    const timer = setTimeout(wake, Math.max(0, at - performance.now()))
    return () => clearTimeout(timer)
  },
}
