import type { CellPass } from './cell-summary.ts'
import { ttftMs } from './request-trace.ts'
import type { ServerSample } from './server-sample.ts'
import { known, mean } from './statistics.ts'

/** The course of a cell over its window, one point for each slice; `null`: nothing was observed in that slice. */
export type CellSeries = {
  readonly secondsPerPoint: number
  readonly tokensPerSecond: readonly number[]
  readonly ttftMs: readonly (number | null)[]
  readonly running: readonly (number | null)[]
  readonly queued: readonly (number | null)[]
  readonly kvCacheUsage: readonly (number | null)[]
}

/** Series of the passes, one after the other. The last slice of a window that ended early is shorter than the rest. */
export function cellSeries(passes: readonly CellPass[]): CellSeries {
  const parts = passes.map(passSeries)
  return {
    secondsPerPoint: (passes[0]?.counts.window.sliceMs ?? 1000) / 1000,
    tokensPerSecond: parts.flatMap(part => part.tokensPerSecond),
    ttftMs: parts.flatMap(part => part.ttftMs),
    running: parts.flatMap(part => part.running),
    queued: parts.flatMap(part => part.queued),
    kvCacheUsage: parts.flatMap(part => part.kvCacheUsage),
  }
}

function passSeries({ counts, traces, samples }: CellPass): Omit<CellSeries, 'secondsPerPoint'> {
  const { from, to, sliceMs } = counts.window
  const slices = counts.sliceTokens.map((tokens, index) => {
    const start = from + index * sliceMs
    return { tokens, start, end: Math.min(start + sliceMs, to) }
  })
  return {
    tokensPerSecond: slices.map(({ tokens, start, end }) => (tokens / (end - start)) * 1000),
    ttftMs: slices.map(({ start, end }) =>
      mean(
        known(
          traces
            .filter(
              ({ firstTokenAt }) => firstTokenAt !== null && firstTokenAt >= start && firstTokenAt < end,
            )
            .map(ttftMs),
        ),
      ),
    ),
    ...sampledSeries(samples, slices),
  }
}

/** The server's gauges in each slice (ms on the run's clock), means over the samples that fell into it. */
export function sampledSeries(
  samples: readonly ServerSample[],
  slices: readonly { readonly start: number; readonly end: number }[],
): Pick<CellSeries, 'running' | 'queued' | 'kvCacheUsage'> {
  const sampled = (figure: (sample: ServerSample) => number | null) =>
    slices.map(({ start, end }) =>
      mean(known(samples.filter(({ at }) => at >= start && at < end).map(figure))),
    )
  return {
    running: sampled(sample => sample.running),
    queued: sampled(sample => sample.queued),
    kvCacheUsage: sampled(sample => sample.kvCacheUsage),
  }
}
