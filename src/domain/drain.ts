import type { Job } from './run-state.ts'
import type { ServerFeatures } from './server-facts.ts'
import type { ServerSample } from './server-sample.ts'

/** A live token counter that stands still for this long tells of an idle server. */
const quietMs = 3000
/** A prompt that is being read in chunks moves the KV cache at least this often. */
const chunkMs = 1000
const muteMs = 10_000
/** SGLang's gauges may be stale for 30 s after the load ended; those of old versions stay. */
const staleGaugeMs = 35_000

/**
 * Whether the server is free of requests, by the best evidence that it offers: a fresh count of running and waiting
 * requests; else live token counters that stand still; else its gauges. Without any there is nothing to wait for.
 */
export function isIdle(features: ServerFeatures, job: Job): boolean {
  if (!features.loads && !features.metrics) return true
  const samples = job.samples.filter(({ at }) => at >= job.phaseSince)
  const latest = samples.at(-1)
  if (latest === undefined) return false
  if (latest.fresh && latest.running !== null) return isQuiet(latest) && !isReading(samples, latest)
  if (features.realtimeCounters) return standStill(samples, counters, quietMs)
  if (latest.missed.length > 0) return false
  // A page that moves is that of a busy server; one that stands for longer than it may be stale tells nothing.
  return latest.running === null || isQuiet(latest) || standStill(samples, gauges, staleGaugeMs)
}

/** Whether no look at the server since the wait began, and for 10 s now, was answered: it is gone, or will not tell. */
export function isMute({ samples, phaseSince }: Job, now: number): boolean {
  const since = samples.filter(({ at }) => at >= phaseSince)
  return (
    now - phaseSince >= muteMs &&
    since.length > 0 &&
    since.every(({ missed, running }) => missed.length > 0 && running === null)
  )
}

function isQuiet({ running, queued }: ServerSample): boolean {
  return running === 0 && (queued ?? 0) === 0
}

/**
 * SGLang counts a request in its prefill batch neither as running nor as waiting; the KV cache that it fills shows it.
 * Servers that count cached prompts as used, too, keep that figure when idle: then it has to stand still.
 */
function isReading(samples: readonly ServerSample[], { kvUsedTokens }: ServerSample): boolean {
  return (
    kvUsedTokens !== null &&
    kvUsedTokens > 0 &&
    !standStill(samples, sample => [sample.kvUsedTokens], chunkMs)
  )
}

/** Whether figures have been the same for so long, ms; a look that failed starts the time anew. */
function standStill(
  samples: readonly ServerSample[],
  figures: (sample: ServerSample) => readonly (number | null)[],
  ms: number,
): boolean {
  const comparable = (sample: ServerSample) => (sample.missed.length > 0 ? null : figures(sample).join())
  const latest = samples.at(-1)
  if (latest === undefined || comparable(latest) === null) return false
  const sinceChange = samples.slice(
    samples.findLastIndex(sample => comparable(sample) !== comparable(latest)) + 1,
  )
  const first = sinceChange[0]
  return first !== undefined && latest.at - first.at >= ms
}

/** A counter that is absent has not moved. */
function counters(sample: ServerSample): readonly (number | null)[] {
  return [sample.realtimeDecodeTokens, sample.realtimePrefillTokens, sample.realtimeCachedTokens]
}

function gauges(sample: ServerSample): readonly (number | null)[] {
  const { running, queued, kvUsedTokens, kvCacheUsage, generationTokensPerSecond } = sample
  return [running, queued, kvUsedTokens, kvCacheUsage, generationTokensPerSecond]
}
