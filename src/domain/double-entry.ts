import type { CellPass } from './cell-summary.ts'
import { binMs, type Window, type WindowCounts } from './load-record.ts'
import { seenAt } from './server-sample.ts'
import { sum } from './statistics.ts'

/** The server's count of output tokens against ours, over the same time. */
export type DoubleEntry = {
  /** Server tokens / our tokens. */
  readonly agreement: number
  /** How far from 1 it may be for reasons of measuring. */
  readonly tolerance: number
}

/** Counters and clocks that agree to this share are the same. */
const allowance = 0.01
/** A scrape that took longer does not say when its counters were read. */
const slowestScrapeMs = 500

/** The counters are read this long after a window opens and before it closes, ms: the answer comes from inside. */
const insideMs = { opening: 10, closing: 100 }

/** When the server's counters are to be read for a window, ms on the run's clock. */
export function edgeLooks({ from, to }: Window): readonly number[] {
  return [from + insideMs.opening, Math.max(from, to - insideMs.closing)]
}

type Entry = {
  readonly server: number
  readonly ours: number
  readonly seconds: number
  readonly roundTripSeconds: number
}

/**
 * Compares the increase of the server's live decode counter between the first and the last scrape of each window with
 * our tokens between the middles of those scrapes. `null` where the server has no such counter, or it fell.
 * Tolerance: 1 % + (round trips) / T + 2 × C × tokens per chunk / N, for steps that are under way at either end.
 */
export function doubleEntry(
  passes: readonly CellPass[],
  concurrency: number,
  tokensPerChunk: number | null,
): DoubleEntry | null {
  const entries = passes.flatMap(entryOf)
  const ours = sum(entries.map(entry => entry.ours))
  if (ours <= 0) return null
  const seconds = sum(entries.map(entry => entry.seconds))
  const roundTrips = sum(entries.map(entry => entry.roundTripSeconds))
  const underWay = (2 * entries.length * concurrency * (tokensPerChunk ?? 1)) / ours
  return {
    agreement: sum(entries.map(entry => entry.server)) / ours,
    tolerance: allowance + roundTrips / seconds + underWay,
  }
}

function entryOf({ counts, samples, traces }: CellPass): Entry[] {
  const readings = samples.flatMap(sample => {
    const { tookMs, realtimeDecodeTokens: tokens, countsFirstTokens, missed } = sample
    const middle = seenAt(sample)
    const inside = middle >= counts.window.from && middle <= counts.window.to
    return tokens === null || !inside || tookMs > slowestScrapeMs || missed.length > 0
      ? []
      : [{ middle, tookMs, tokens, countsFirstTokens }]
  })
  const first = readings[0]
  const last = readings.at(-1)
  if (first === undefined || last === undefined || last.middle <= first.middle) return []
  if (readings.some(({ tokens }, index) => tokens < (readings[index - 1]?.tokens ?? 0))) return []
  const firstTokens = traces.filter(
    ({ firstTokenAt }) => firstTokenAt !== null && firstTokenAt > first.middle && firstTokenAt <= last.middle,
  ).length
  return [
    {
      server: last.tokens - first.tokens,
      ours:
        tokensBefore(counts, last.middle) -
        tokensBefore(counts, first.middle) -
        (first.countsFirstTokens ? 0 : firstTokens),
      seconds: (last.middle - first.middle) / 1000,
      roundTripSeconds: (first.tookMs + last.tookMs) / 1000,
    },
  ]
}

/** Our tokens from the window's opening to `at`; within a bin they are taken to come evenly. */
function tokensBefore({ window: { from }, binTokens }: WindowCounts, at: number): number {
  const bins = (at - from) / binMs
  const whole = Math.floor(bins)
  return sum(binTokens.slice(0, whole)) + (binTokens[whole] ?? 0) * (bins - whole)
}
