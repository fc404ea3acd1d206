import { describe, expect, test } from 'vitest'
import { type CellPass, summarizeCell } from '../../src/domain/cell-summary.ts'
import type { GapHistogram } from '../../src/domain/load-record.ts'
import { chunksTogether, stalledStreams, unsteady } from '../../src/domain/pace.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { pass, share, trace } from './build.ts'

describe('chunks that come together', () => {
  const judged = (together: number, apart: number) =>
    chunksTogether([
      pass({
        gaps: [
          [0, together],
          [160_000, apart],
        ],
      }),
    ])

  test('are told when they are half of all: something holds them back', () => {
    // 8 chunks at a time: 7 of 8 gaps are nothing
    expect(judged(70, 10)).toEqual([{ kind: 'chunks-together', share: 0.875 }])
    expect(judged(10, 10)).toHaveLength(1)
    expect(judged(9, 11)).toEqual([])
  })

  test('are not judged by fewer than 20 gaps, or by none', () => {
    expect(judged(10, 9)).toEqual([])
    expect(chunksTogether([pass({ gaps: [] })])).toEqual([])
  })
})

describe('steps that do not keep their pace', () => {
  const thirds = (first: number, last: number, n = 20): CellPass =>
    pass({ gapThirds: [[[first, n]], [], [[last, n]]] })

  test('are those whose median moves by more than 5 % from the first third to the last', () => {
    expect(unsteady([thirds(20_000, 20_990)])).toEqual([])
    expect(unsteady([thirds(20_000, 21_100)])).toEqual([{ kind: 'unsteady', firstMs: 20, lastMs: 21.1 }])
    expect(unsteady([thirds(20_000, 18_900)])).toHaveLength(1)
  })

  test('are not judged by fewer than 20 gaps, or by none', () => {
    expect(unsteady([thirds(20_000, 40_000, 19)])).toEqual([])
    expect(unsteady([pass({ gapThirds: [] })])).toEqual([])
  })

  /** Gaps around a step time that drifts through the window, with jitter and the stalls of prefills. */
  function simulated(seed: number, drift: number): CellPass {
    const random = seededRandom(seed)
    const gapsOf = (third: number): GapHistogram =>
      Array.from({ length: 500 }, (_, index) => {
        const stepMs = 20 * (1 + drift * ((third * 500 + index) / 1500))
        const jitter = 1 + 0.15 * (random() + random() + random() - 1.5)
        const stall = random() < 0.02 ? 100 : 0
        return [Math.round((stepMs * jitter + stall) * 1000), 1] as const
      }).sort(([a], [b]) => a - b)
    return pass({ gapThirds: [gapsOf(0), gapsOf(1), gapsOf(2)] })
  }
  const found = (drift: number) =>
    Array.from({ length: 200 }, (_, seed) => unsteady([simulated(seed, drift)])).filter(
      reasons => reasons.length > 0,
    ).length

  test('are suspected in at most 3 % of steady windows', () => {
    expect(found(0) / 200).toBeLessThanOrEqual(0.03)
  })

  test('are found in at least 90 % of windows that drift by 12 %', () => {
    expect(found(0.12) / 200).toBeGreaterThanOrEqual(0.9)
  })
})

describe('streams that fall silent', () => {
  const until = 20_000
  /** A stream through the window from 10 s to 20 s. */
  const streaming = (stream: number, change: Parameters<typeof share>[0] = {}, endedAt = until + 100) =>
    trace({
      stream,
      firstTokenAt: 9000,
      endedAt,
      window: share({ firstAt: 10_010, lastAt: 19_990, chunks: 500, tokens: 500, ...change }),
    })
  const judged = (traces: readonly ReturnType<typeof streaming>[], concurrency: number, gapMs = 20) => {
    const passes = [pass({ traces, gaps: [[gapMs * 1000, 500]] })]
    return stalledStreams(
      passes,
      concurrency,
      summarizeCell(passes, concurrency, { ttftMs: null, itlMs: null }),
    )
  }

  test('for more than a second between two chunks are told with their number', () => {
    expect(judged([streaming(0), streaming(1, { longestGapMs: 1001 })], 2)).toEqual([
      { kind: 'streams-stalled', streams: 1, of: 2, longestMs: 1001 },
    ])
    expect(judged([streaming(0), streaming(1, { longestGapMs: 1000 })], 2)).toEqual([])
  })

  test('may be silent for 20 steps where these are slow', () => {
    // 20 × 100 ms
    expect(judged([streaming(0, { longestGapMs: 2000 })], 1, 100)).toEqual([])
    expect(judged([streaming(0, { longestGapMs: 2001 })], 1, 100)).toHaveLength(1)
  })

  test('up to the end of the window count, those whose request ended do not', () => {
    expect(judged([streaming(0, { lastAt: 18_900 })], 1)).toMatchObject([{ longestMs: 1100 }])
    expect(judged([streaming(0, { lastAt: 15_000 }, 15_005)], 1)).toEqual([])
  })

  test('and before the first chunk in it', () => {
    expect(judged([streaming(0, { firstAt: 11_001 })], 1)).toMatchObject([{ longestMs: 1001 }])
    expect(judged([{ ...streaming(0, { firstAt: 12_000 }), firstTokenAt: 12_000 }], 1)).toEqual([])
  })

  test('through all of the window count, though no token of theirs is in it; those that still wait for one do not', () => {
    const mute = { stream: 1, endedAt: until + 100, window: null }
    expect(judged([streaming(0), trace({ ...mute, lastTokenAt: 9000 })], 2)).toMatchObject([
      { streams: 1, longestMs: 10_000 },
    ])
    expect(judged([streaming(0), trace(mute)], 2)).toEqual([])
    expect(judged([streaming(0), trace({ ...mute, lastTokenAt: 9000, endedAt: 9900 })], 2)).toEqual([])
  })

  test('are counted once each, and up to 1 % of them are let pass', () => {
    const silent = streaming(7, { longestGapMs: 5000 })
    expect(judged([silent, silent], 100)).toEqual([])
    expect(judged([silent, silent], 99)).toMatchObject([{ streams: 1, of: 99 }])
  })
})
