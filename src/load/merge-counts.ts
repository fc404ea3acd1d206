import { mergeGaps } from '../domain/gap-histogram.ts'
import type { WindowCounts } from '../domain/load-record.ts'
import type { RequestTrace } from '../domain/request-trace.ts'
import { known, max, sum } from '../domain/statistics.ts'
import type { FinalUsage, RawCounts } from './messages.ts'

/**
 * Sums the threads' counts. Chunks without counts are worth the mean of the cell's requests that told theirs at the end;
 * where none did, of those of the run before it.
 */
export function mergeCounts(
  parts: readonly RawCounts[],
  usageBefore: readonly FinalUsage[] = [],
): {
  counts: WindowCounts | null
  /** Of the requests that told their tokens only at the end; `null`: there were none. */
  tokensPerChunk: number | null
} {
  const [first] = parts
  const tokensPerChunk = meanTokens(parts.map(part => part.finalUsage)) ?? meanTokens(usageBefore)
  if (first === undefined) return { counts: null, tokensPerChunk }
  const totals = (
    counted: keyof RawCounts & `${string}Tokens`,
    chunks: keyof RawCounts & `${string}Uncounted`,
  ) =>
    first[counted].map((_, index) =>
      sum(
        parts.map(part => (part[counted][index] ?? 0) + (part[chunks][index] ?? 0) * (tokensPerChunk ?? 1)),
      ),
    )
  const counts = {
    window: { ...first.window, to: Math.min(...parts.map(part => part.window.to)) },
    sliceTokens: totals('sliceTokens', 'sliceChunksUncounted'),
    binTokens: totals('binTokens', 'binChunksUncounted'),
    gaps: mergeGaps(parts.map(part => part.gaps)),
    gapThirds: [0, 1, 2].map(third => mergeGaps(parts.map(part => part.gapThirds[third] ?? []))),
    client: {
      loopDelayP99Ms: max(known(parts.map(part => part.client.loopDelayP99Ms))),
      loopUtilisation: max(known(parts.map(part => part.client.loopUtilisation))),
      workers: parts.length,
    },
  }
  return { counts, tokensPerChunk }
}

function meanTokens(usages: readonly FinalUsage[]): number | null {
  const chunks = sum(usages.map(usage => usage.chunks))
  return chunks === 0 ? null : sum(usages.map(usage => usage.tokens)) / chunks
}

/** A request that was cut off before its usage came: its chunks at the cell's mean. */
export function scaled(trace: RequestTrace, tokensPerChunk: number | null): RequestTrace {
  if (trace.counting !== 'chunks' || tokensPerChunk === null || trace.window === null) return trace
  const { tokens, firstChunkTokens, tokensBefore, ...rest } = trace.window
  return {
    ...trace,
    counting: 'final-usage',
    outputTokens: trace.outputTokens * tokensPerChunk,
    window: {
      ...rest,
      tokens: tokens * tokensPerChunk,
      firstChunkTokens: firstChunkTokens * tokensPerChunk,
      tokensBefore: tokensBefore * tokensPerChunk,
    },
  }
}
