import type { LoadTick } from './load-record.ts'
import type { ServerSample } from './server-sample.ts'

/** A tick that is older tells of another moment than the sample. */
const newestMs = 1500

/**
 * Our requests that the server neither decodes nor has queued: their prompt is being read or still on its way there.
 * In flight at the client - running - queued, at least 0. `null` when the load threads or the server do not tell of
 * that moment; gauges that may be old do not.
 */
export function prefilling(
  { at, running, queued, fresh }: ServerSample,
  ticks: readonly LoadTick[],
): number | null {
  const tick = ticks.findLast(one => one.at <= at)
  if (tick === undefined || at - tick.at > newestMs || running === null || queued === null || !fresh)
    return null
  return Math.max(0, tick.active + tick.waiting - running - queued)
}
