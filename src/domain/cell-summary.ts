import { doubleEntry } from './double-entry.ts'
import { gapDistribution, mergeGaps, stalledMs, typicalGapMs } from './gap-histogram.ts'
import { type HardwareFigures, hardwareFigures } from './hardware-figures.ts'
import type { HardwareSample } from './hardware-sample.ts'
import { type Intervals, throughputIntervals } from './interval.ts'
import type { ClientHealth, Window, WindowCounts } from './load-record.ts'
import { countRequests, type RequestCounts } from './request-counts.ts'
import { itlMs, type RequestTrace, ttftMs, type WindowShare } from './request-trace.ts'
import type { Slo } from './run-options.ts'
import { type CellSeries, cellSeries } from './series.ts'
import { type ServerFigures, serverFigures } from './server-figures.ts'
import type { ServerSample } from './server-sample.ts'
import { type Distribution, distribution, known, max, quantile, sum } from './statistics.ts'

/** One pass over one cell: all that was recorded between opening and closing of the window. */
export type CellPass = {
  readonly counts: WindowCounts
  readonly traces: readonly RequestTrace[]
  readonly samples: readonly ServerSample[]
  readonly hardwareSamples: readonly HardwareSample[]
}

/** The figures of a cell, in the names and units of the result file. `null`: unknown, `0`: measured zero. */
export type CellSummary = {
  readonly promptTokens: { readonly mean: number; readonly min: number; readonly max: number } | null
  readonly windowSeconds: number
  readonly outputTokens: number
  readonly totalTokensPerSecond: Throughput
  readonly perStreamTokensPerSecond: number
  readonly perRequestTokensPerSecond: {
    readonly n: number
    readonly p50: number | null
    readonly p10: number | null
  }
  readonly stepsPerSecond: number | null
  readonly stepMs: number | null
  readonly tokensPerChunk: number | null
  readonly stallFraction: number | null
  readonly meanSequenceTokens: number | null
  readonly ttftMs: {
    readonly headline: number | null
    readonly source: 'steady' | 'launch'
    readonly steady: Distribution
    readonly launch: Distribution
  }
  readonly itlMs: Distribution
  readonly interChunkMs: Distribution
  readonly active: { readonly mean: number }
  readonly requests: RequestCounts
  readonly server: ServerFigures & {
    /** Server tokens / our tokens over the same time. */
    readonly agreement: number | null
    readonly agreementTolerance: number | null
  }
  readonly client: ClientHealth
  /** `null`: the server's machine was not looked at, or has no GPU that tells. */
  readonly hardware: HardwareFigures | null
  /** Share of the window's requests that hold the asked limits; `null`: no limit asked, or no request to judge. */
  readonly slo: { readonly share: number; readonly n: number } | null
  readonly series: CellSeries
}

/** Tok/s of all streams and the half-widths of its 95 % interval, tok/s. */
export type Throughput = Intervals & { readonly mean: number }

/** A request's speed counts from this many tokens and chunks on; shorter segments are mostly rounding. */
const minimumSegment = { tokens: 16, chunks: 3 }
/** With fewer replacements answered in the window the launch TTFT is the headline. */
const minimumSteady = 3

/** All figures of a cell. Several passes are pooled: each weighs by its length. At least one pass. */
export function summarizeCell(passes: readonly CellPass[], concurrency: number, slo: Slo): CellSummary {
  const windowSeconds = sum(passes.map(({ counts }) => lengthMs(counts.window))) / 1000
  const traces = passes.flatMap(pass => pass.traces)
  const shares = known(traces.map(trace => trace.window))
  const outputTokens = sum(passes.flatMap(({ counts }) => counts.sliceTokens))
  const total = outputTokens / windowSeconds
  const speeds = known(shares.filter(isLongEnough).map(itlMs))
    .map(ms => 1000 / ms)
    .sort((a, b) => a - b)
  const gaps = mergeGaps(passes.map(({ counts }) => counts.gaps))
  const stepMs = typicalGapMs(gaps)
  const tokensPerChunk = ratio(sum(shares.map(share => share.tokens)), sum(shares.map(share => share.chunks)))
  const entry = doubleEntry(passes, concurrency, tokensPerChunk)
  return {
    promptTokens: promptRange(known(traces.map(trace => trace.promptTokens))),
    windowSeconds,
    outputTokens,
    totalTokensPerSecond: { mean: total, ...throughputIntervals(passes) },
    perStreamTokensPerSecond: total / concurrency,
    perRequestTokensPerSecond: { n: speeds.length, p50: quantile(speeds, 0.5), p10: quantile(speeds, 0.1) },
    stepsPerSecond: stepMs === null ? null : 1000 / stepMs,
    stepMs,
    tokensPerChunk,
    stallFraction: stepMs === null ? null : stalledMs(gaps) / (windowSeconds * 1000 * concurrency),
    meanSequenceTokens: meanSequence(traces),
    ttftMs: headlineTtft(passes),
    itlMs: distribution(known(shares.map(itlMs))),
    interChunkMs: gapDistribution(gaps),
    active: { mean: sum(passes.map(activeMs)) / (windowSeconds * 1000) },
    requests: countRequests(passes),
    server: {
      ...serverFigures(passes.map(samplesInWindow)),
      agreement: entry?.agreement ?? null,
      agreementTolerance: entry?.tolerance ?? null,
    },
    client: worstClient(passes.map(({ counts }) => counts.client)),
    hardware: hardwareFigures(
      passes.map(({ counts: { window }, hardwareSamples: samples }) => ({ window, samples })),
      total,
    ),
    slo: sloShare(traces, slo),
    series: cellSeries(passes),
  }
}

/** The looks at the server that were answered while the window was open. */
export function samplesInWindow({ samples, counts: { window } }: CellPass): readonly ServerSample[] {
  return samples.filter(({ at }) => at >= window.from && at <= window.to)
}

function headlineTtft(passes: readonly CellPass[]): CellSummary['ttftMs'] {
  const steady = distribution(known(passes.flatMap(answeredInWindow).map(ttftMs)))
  const launched = passes.flatMap(({ traces }) => traces.filter(({ purpose }) => purpose === 'launch'))
  const launch = distribution(known(launched.map(ttftMs)))
  const source = steady.n >= minimumSteady ? 'steady' : 'launch'
  return { headline: (source === 'steady' ? steady : launch).p50, source, steady, launch }
}

/** Replacements that were written and had their first token inside the window. */
function answeredInWindow({ traces, counts: { window } }: CellPass): readonly RequestTrace[] {
  return traces.filter(
    ({ purpose, writtenAt, firstTokenAt }) =>
      purpose === 'steady' &&
      writtenAt !== null &&
      firstTokenAt !== null &&
      writtenAt >= window.from &&
      firstTokenAt <= window.to,
  )
}

/** Time that the streams spent between first and last token inside the window, ms, summed over streams. */
function activeMs({ traces, counts: { window } }: CellPass): number {
  return sum(
    traces.map(({ firstTokenAt, lastTokenAt }) =>
      firstTokenAt === null || lastTokenAt === null
        ? 0
        : Math.max(0, Math.min(lastTokenAt, window.to) - Math.max(firstTokenAt, window.from)),
    ),
  )
}

/** Mean tokens held by a stream in the window, prompt and output so far, weighted by time. */
function meanSequence(traces: readonly RequestTrace[]): number | null {
  const held = traces.flatMap(({ promptTokens, window }) =>
    promptTokens === null || window === null
      ? []
      : [
          {
            tokens: promptTokens + window.tokensBefore + window.tokens / 2,
            ms: window.lastAt - window.firstAt,
          },
        ],
  )
  return ratio(sum(held.map(({ tokens, ms }) => tokens * ms)), sum(held.map(({ ms }) => ms)))
}

function sloShare(traces: readonly RequestTrace[], slo: Slo): CellSummary['slo'] {
  if (slo.ttftMs === null && slo.itlMs === null) return null
  const judged = traces.flatMap(trace => {
    if (trace.window === null) return []
    const asked = [
      { limit: slo.ttftMs, value: ttftMs(trace) },
      { limit: slo.itlMs, value: itlMs(trace.window) },
    ].flatMap(({ limit, value }) => (limit === null ? [] : [{ limit, value }]))
    if (asked.some(({ value }) => value === null)) return []
    return [asked.every(({ limit, value }) => value !== null && value <= limit)]
  })
  const share = ratio(judged.filter(held => held).length, judged.length)
  return share === null ? null : { share, n: judged.length }
}

function worstClient(clients: readonly ClientHealth[]): ClientHealth {
  return {
    loopDelayP99Ms: max(known(clients.map(client => client.loopDelayP99Ms))),
    loopUtilisation: max(known(clients.map(client => client.loopUtilisation))),
    workers: Math.max(...clients.map(client => client.workers)),
  }
}

function promptRange(tokens: readonly number[]): CellSummary['promptTokens'] {
  if (tokens.length === 0) return null
  return { mean: sum(tokens) / tokens.length, min: Math.min(...tokens), max: Math.max(...tokens) }
}

function isLongEnough(share: WindowShare): boolean {
  return share.tokens >= minimumSegment.tokens && share.chunks >= minimumSegment.chunks
}

function lengthMs(window: Window): number {
  return window.to - window.from
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
