import { expect, test } from 'vitest'
import type { LoadTick } from '../../src/domain/load-record.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import { mergeCounts, scaled } from '../../src/load/merge-counts.ts'
import type { RawCounts } from '../../src/load/messages.ts'
import { TickMerger } from '../../src/load/tick-merger.ts'
import { tick } from '../domain/build.ts'

const trace: RequestTrace = {
  rid: 'a',
  purpose: 'steady',
  stream: 0,
  maxTokens: 100,
  promptChars: 1,
  writtenAt: 1,
  firstTokenAt: 2,
  lastTokenAt: 3,
  endedAt: 4,
  promptTokens: null,
  cachedTokens: null,
  outputTokens: 6,
  counting: 'chunks',
  loop: null,
  outcome: { kind: 'cut-off' },
  window: {
    firstAt: 2,
    lastAt: 3,
    chunks: 4,
    tokens: 4,
    firstChunkTokens: 1,
    longestGapMs: 1,
    tokensBefore: 2,
  },
}

function merged() {
  const ticks: LoadTick[] = []
  return { ticks, merger: new TickMerger(2, one => ticks.push(one)) }
}

test('ticks of two threads become one: what came is added, over their mean span', () => {
  const { ticks, merger } = merged()
  merger.add(
    0,
    tick({ at: 5, spanMs: 190, tokens: 3, chunks: 2, started: 4, active: 3, waiting: 1, ttftMs: [7] }),
  )
  expect(ticks).toEqual([])
  merger.add(
    1,
    tick({ at: 9, spanMs: 210, tokens: 5, chunks: 4, started: 2, active: 2, ttftMs: [8], ended: [trace] }),
  )
  expect(ticks).toEqual([
    {
      at: 9,
      spanMs: 200,
      tokens: 8,
      chunks: 6,
      started: 6,
      active: 5,
      waiting: 1,
      ttftMs: [7, 8],
      ended: [trace],
    },
  ])
})

test('a thread that ticks twice before the other adds its tokens, not its streams', () => {
  const { ticks, merger } = merged()
  merger.add(0, tick({ tokens: 3, started: 4, active: 4 }))
  merger.add(0, tick({ tokens: 3, started: 4, active: 3 }))
  expect(ticks).toEqual([])
  merger.add(1, tick({ tokens: 1, started: 1, active: 1 }))
  expect(ticks).toEqual([tick({ spanMs: 300, tokens: 7, started: 5, active: 4 })])
})

test('requests that ended in a tick still waiting for another thread are not lost', () => {
  const { ticks, merger } = merged()
  merger.add(1, tick({ ended: [trace] }))
  expect(merger.rest()).toEqual([trace])
  expect(merger.rest()).toEqual([])
  expect(ticks).toEqual([])
})

const raw = (changes: Partial<RawCounts>): RawCounts => ({
  window: { from: 1000, to: 3000, sliceMs: 1000 },
  sliceTokens: [10, 20],
  sliceChunksUncounted: [0, 0],
  gaps: [[1000, 2]],
  binTokens: [1, 0, 2],
  binChunksUncounted: [0, 0, 0],
  gapThirds: [[[1000, 1]], [], [[1000, 1]]],
  client: { loopDelayP99Ms: 1, loopUtilisation: 0.1, workers: 1 },
  finalUsage: { tokens: 0, chunks: 0 },
  ...changes,
})

test("threads' counts are added, and the worst thread's health stands for all", () => {
  const client = { loopDelayP99Ms: null, loopUtilisation: 0.4, workers: 1 }
  const gaps = [
    [500, 1],
    [1000, 3],
  ] as const
  expect(mergeCounts([raw({}), raw({ sliceTokens: [1, 2], gaps, client })])).toEqual({
    tokensPerChunk: null,
    counts: {
      window: { from: 1000, to: 3000, sliceMs: 1000 },
      sliceTokens: [11, 22],
      gaps: [
        [500, 1],
        [1000, 5],
      ],
      binTokens: [2, 0, 4],
      gapThirds: [[[1000, 2]], [], [[1000, 2]]],
      client: { loopDelayP99Ms: 1, loopUtilisation: 0.4, workers: 2 },
    },
  })
})

test('chunks without counts are worth the mean of all requests of the cell that told theirs', () => {
  const parts = [
    raw({
      sliceChunksUncounted: [4, 0],
      binChunksUncounted: [0, 4, 0],
      finalUsage: { tokens: 90, chunks: 40 },
    }),
    raw({ sliceTokens: [0, 0], sliceChunksUncounted: [0, 2], finalUsage: { tokens: 60, chunks: 20 } }),
  ]
  const { tokensPerChunk, counts } = mergeCounts(parts)
  expect(tokensPerChunk).toBe(2.5)
  expect(counts?.sliceTokens).toEqual([20, 25])
  expect(counts?.binTokens).toEqual([2, 10, 4])
})

test('where no request of the cell told them, those of the run before it stand for them', () => {
  const before = [
    { tokens: 64, chunks: 16 },
    { tokens: 0, chunks: 0 },
  ]
  const parts = [raw({ sliceChunksUncounted: [5, 0] }), raw({})]
  expect(mergeCounts(parts, before)).toMatchObject({ tokensPerChunk: 4, counts: { sliceTokens: [40, 40] } })
  const told = [...parts, raw({ finalUsage: { tokens: 9, chunks: 3 } })]
  expect(mergeCounts(told, before).tokensPerChunk).toBe(3)
})

test('without a window there are no counts', () => {
  expect(mergeCounts([])).toEqual({ counts: null, tokensPerChunk: null })
})

test('a request cut off before its usage came has its chunks at that mean, and says so', () => {
  expect(scaled(trace, 2.5)).toEqual({
    ...trace,
    counting: 'final-usage',
    outputTokens: 15,
    window: {
      firstAt: 2,
      lastAt: 3,
      chunks: 4,
      tokens: 10,
      firstChunkTokens: 2.5,
      longestGapMs: 1,
      tokensBefore: 5,
    },
  })
})

test.each(['continuous-usage', 'final-usage'] as const)(
  'a request counted by %s stays as it is',
  counting => {
    expect(scaled({ ...trace, counting }, 2.5)).toEqual({ ...trace, counting })
  },
)
