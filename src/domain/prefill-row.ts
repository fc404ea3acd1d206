import { type RequestTrace, ttftMs } from './request-trace.ts'
import { known, median } from './statistics.ts'

/** The cold prompts of one context, one at a time: how fast the server reads. */
export type PrefillSummary = {
  readonly promptTokens: number | null
  readonly ttftMs: number
  readonly tokensPerSecond: number | null
  readonly samples: readonly PrefillSample[]
}

/** One cold prompt that was read. */
export type PrefillSample = {
  readonly promptTokens: number | null
  readonly cachedTokens: number | null
  readonly ttftMs: number
}

/** Long prompts are measured once and without warm-up: minutes each, and the kernels are warm by then. */
const longContext = 64 * 1024
/** Two samples that differ by more than this call for a third. */
const repeatability = 0.05

/** Whether the first request of a row is thrown away (kernels, graphs). */
export function needsWarmUp(contextTokens: number): boolean {
  return contextTokens <= longContext
}

/** How many cold samples a row still needs, given those it has. */
export function samplesMissing(
  contextTokens: number,
  samples: readonly PrefillSample[],
  wanted: number | null,
): number {
  if (wanted !== null) return Math.max(0, wanted - samples.length)
  if (contextTokens > longContext) return Math.max(0, 1 - samples.length)
  if (samples.length < 2) return 2 - samples.length
  const times = samples.map(sample => sample.ttftMs)
  const differ = Math.max(...times) > (1 + repeatability) * Math.min(...times)
  return samples.length === 2 && differ ? 1 : 0
}

/** A request as a sample; `null` when no token came. */
export function prefillSample(trace: RequestTrace): PrefillSample | null {
  const ttft = ttftMs(trace)
  return ttft === null
    ? null
    : { promptTokens: trace.promptTokens, cachedTokens: trace.cachedTokens, ttftMs: ttft }
}

/** Medians over the cold samples: TTFT in ms, and prompt tokens / TTFT in tok/s. `null` without a sample. */
export function summarizePrefill(samples: readonly PrefillSample[]): PrefillSummary | null {
  const ttft = median(samples.map(sample => sample.ttftMs))
  if (ttft === null) return null
  return {
    promptTokens: median(known(samples.map(sample => sample.promptTokens))),
    ttftMs: ttft,
    tokensPerSecond: median(
      known(
        samples.map(sample =>
          sample.promptTokens === null ? null : (sample.promptTokens / sample.ttftMs) * 1000,
        ),
      ),
    ),
    samples,
  }
}

/**
 * Prompt tok/s without the host's work (HTTP, tokenizing): tokens / (cold TTFT - cached TTFT at C = 1 of the same
 * context). `null` when one is unknown or the difference is not positive.
 */
export function netPrefillRate(summary: PrefillSummary, cachedTtftMs: number | null): number | null {
  if (summary.promptTokens === null || cachedTtftMs === null || cachedTtftMs >= summary.ttftMs) return null
  return (summary.promptTokens / (summary.ttftMs - cachedTtftMs)) * 1000
}
