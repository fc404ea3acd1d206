import type { Job } from './run-state.ts'
import type { ServerFeatures } from './server-facts.ts'
import type { ServerSample } from './server-sample.ts'

/** A live token counter that stands still for this long tells of an idle server. */
const quietMs = 3000
/** SGLang's running gauge may be stale for 30 s after the load ended. */
const staleGaugeMs = 35_000

/**
 * Whether the server is free of requests, by the best evidence that it offers: a fresh count of running and waiting
 * requests; else live token counters that stand still; else its gauges. Without any there is nothing to wait for.
 */
export function isIdle(features: ServerFeatures, job: Job, now: number): boolean {
  if (!features.loads && !features.metrics) return true
  const samples = job.samples.filter(({ at }) => at >= job.phaseSince)
  const latest = samples.at(-1)
  if (latest === undefined) return false
  if (latest.fresh && latest.running !== null) return latest.running === 0 && (latest.queued ?? 0) === 0
  if (features.realtimeCounters) return standsStill(samples)
  const quietGauge = latest.running === 0 && (latest.queued ?? 0) === 0
  return quietGauge || (latest.running !== null && now >= job.phaseSince + staleGaugeMs)
}

function standsStill(samples: readonly ServerSample[]): boolean {
  const latest = samples.at(-1)
  if (latest === undefined || counters(latest) === null) return false
  const sinceChange = samples.slice(
    samples.findLastIndex(sample => counters(sample) !== counters(latest)) + 1,
  )
  const first = sinceChange[0]
  return first !== undefined && latest.at - first.at >= quietMs
}

/** All live counters as one comparable value; `null` when none was told. A counter that is absent has not moved. */
function counters({
  realtimeDecodeTokens,
  realtimePrefillTokens,
  realtimeCachedTokens,
  missed,
}: ServerSample): string | null {
  return missed.length > 0 ? null : [realtimeDecodeTokens, realtimePrefillTokens, realtimeCachedTokens].join()
}
