import type { CellPass, CellSummary } from './cell-summary.ts'
import { countOf, mergeGaps, togetherShare, typicalGapMs } from './gap-histogram.ts'
import type { Window } from './load-record.ts'
import type { RequestTrace } from './request-trace.ts'
import type { Reason } from './verdict.ts'

/** Step times of the first and the last third of a window may differ by this share. */
const driftLimit = 0.05
/** Fewer gaps do not make a step time, and do not show how chunks come. */
const fewestGaps = 20
const togetherLimit = 0.5
const silence = { leastMs: 1000, medians: 20 }
const silentShareLimit = 0.01

/**
 * Whether the steps kept their pace through the window. Judged on the time of a step, which scatters by a fraction of a
 * percent, never on tok/s, which acceptance alone moves by more than a drift would.
 */
export function unsteady(passes: readonly CellPass[]): Reason[] {
  const thirdOf = (third: number) => mergeGaps(passes.map(({ counts }) => counts.gapThirds[third] ?? []))
  const [first, last] = [thirdOf(0), thirdOf(2)]
  const [firstMs, lastMs] = [typicalGapMs(first), typicalGapMs(last)]
  if (firstMs === null || lastMs === null || Math.min(countOf(first), countOf(last)) < fewestGaps) return []
  return Math.abs(lastMs / firstMs - 1) > driftLimit ? [{ kind: 'unsteady', firstMs, lastMs }] : []
}

/** Whether half of the chunks came together with the one before: what holds them back bends TTFT and ITL. */
export function chunksTogether(passes: readonly CellPass[]): Reason[] {
  const gaps = mergeGaps(passes.map(({ counts }) => counts.gaps))
  const share = togetherShare(gaps)
  if (share === null || share < togetherLimit || countOf(gaps) < fewestGaps) return []
  return [{ kind: 'chunks-together', share }]
}

/**
 * Streams that were silent inside the window for longer than 1 s and 20 steps: between two chunks, or before the first
 * or after the last one there, all of it included. One that has had no token yet waits and is not silent.
 */
export function stalledStreams(
  passes: readonly CellPass[],
  concurrency: number,
  { stepMs }: CellSummary,
): Reason[] {
  const limitMs = Math.max(silence.leastMs, silence.medians * (stepMs ?? 0))
  const silent = passes.flatMap(({ traces, counts: { window } }) =>
    traces.flatMap(trace => {
      const silentMs = silenceMs(trace, window)
      return silentMs > limitMs ? [{ stream: trace.stream, silentMs }] : []
    }),
  )
  const streams = new Set(silent.map(({ stream }) => stream)).size
  if (streams <= silentShareLimit * concurrency) return []
  return [
    {
      kind: 'streams-stalled',
      streams,
      of: concurrency,
      longestMs: Math.max(...silent.map(one => one.silentMs)),
    },
  ]
}

function silenceMs(
  { firstTokenAt, lastTokenAt, endedAt, window: share }: RequestTrace,
  { from, to }: Window,
): number {
  const end = Math.min(endedAt, to)
  if (share === null) return lastTokenAt === null ? 0 : end - Math.max(lastTokenAt, from)
  const start = Math.max(firstTokenAt ?? share.firstAt, from)
  return Math.max(share.firstAt - start, share.longestGapMs, end - share.lastAt)
}
