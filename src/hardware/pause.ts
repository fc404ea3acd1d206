import type { Clock } from '../runner/ports.ts'

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      callOff()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const callOff = clock.onTime(clock.now() + ms, end)
    signal.addEventListener('abort', end)
  })
}
