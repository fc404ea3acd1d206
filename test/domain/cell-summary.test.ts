import { describe, expect, test } from 'vitest'
import { type CellPass, summarizeCell } from '../../src/domain/cell-summary.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import { pass, sample, share, trace } from './build.ts'

const noSlo = { ttftMs: null, itlMs: null }
const summarize = (passes: readonly CellPass[], concurrency = 2, slo = noSlo) =>
  summarizeCell(passes, concurrency, slo)

/** A request that streams through the whole window (10..20 s), one chunk of `tokens / chunks` every so often. */
function streaming(tokens: number, chunks: number, change: Partial<RequestTrace> = {}): RequestTrace {
  return trace({
    writtenAt: 9000,
    firstTokenAt: 9100,
    lastTokenAt: 20_100,
    endedAt: 20_200,
    outcome: { kind: 'cut-off' },
    window: share({ firstAt: 10_000, lastAt: 20_000, chunks, tokens, firstChunkTokens: tokens / chunks }),
    ...change,
  })
}

describe('throughput', () => {
  test('is the tokens of the window over its seconds, and over the streams', () => {
    const summary = summarize([pass({ sliceTokens: [100, 110, 90, 100, 100, 100, 100, 100, 100, 100] })], 4)
    expect(summary.windowSeconds).toBe(10)
    expect(summary.outputTokens).toBe(1000)
    expect(summary.totalTokensPerSecond.mean).toBe(100)
    expect(summary.perStreamTokensPerSecond).toBe(25)
  })

  test('of two passes is pooled: each weighs by its length', () => {
    const long = pass({ sliceTokens: Array.from({ length: 10 }, () => 100) })
    const short = pass({
      window: { from: 50_000, to: 55_000, sliceMs: 1000 },
      sliceTokens: [40, 40, 40, 40, 40],
    })
    const summary = summarize([long, short])
    // (1000 + 200) tokens in 15 s; a mean of the rates would be 70
    expect(summary).toMatchObject({ windowSeconds: 15, outputTokens: 1200 })
    expect(summary.totalTokensPerSecond.mean).toBe(80)
  })

  test('without a token is a measured zero, and nothing else is made up', () => {
    const summary = summarize([pass({ sliceTokens: [0, 0, 0] })])
    expect(summary).toMatchObject({
      promptTokens: null,
      outputTokens: 0,
      totalTokensPerSecond: { mean: 0, ci95: null },
      perStreamTokensPerSecond: 0,
      perRequestTokensPerSecond: { n: 0, p50: null, p10: null },
      stepsPerSecond: null,
      stepMs: null,
      tokensPerChunk: null,
      stallFraction: null,
      meanSequenceTokens: null,
      ttftMs: { headline: null },
      itlMs: { n: 0, p50: null },
      active: { mean: 0 },
      slo: null,
    })
  })
})

describe('the speed of a request', () => {
  test('is the inverse of its ITL inside the window', () => {
    // 101 tokens, the first chunk of 1: 100 tokens in 10 s; 201: 200 in 10 s
    const summary = summarize([pass({ traces: [streaming(101, 101), streaming(201, 201)] })])
    // p50 of 10 and 20, p10 = 10 + 0.1 × 10
    expect(summary.perRequestTokensPerSecond).toMatchObject({ n: 2, p50: 15, p10: 11 })
    // ITL 100 ms and 50 ms
    expect(summary.itlMs).toMatchObject({ n: 2, mean: 75, p50: 75, max: 100 })
  })

  test('counts from 16 tokens and 3 chunks on; the ITL counts every request with two chunks', () => {
    const of = (tokens: number, chunks: number) => {
      const { perRequestTokensPerSecond, itlMs } = summarize([pass({ traces: [streaming(tokens, chunks)] })])
      return [perRequestTokensPerSecond.n, itlMs.n]
    }
    expect(of(16, 4)).toEqual([1, 1])
    expect(of(15, 3)).toEqual([0, 1])
    expect(of(16, 2)).toEqual([0, 1])
    expect(of(16, 1)).toEqual([0, 0])
  })

  test('is unknown, not infinite, when all its chunks arrived at one time', () => {
    const burst = streaming(30, 3, {
      window: share({ firstAt: 12_000, lastAt: 12_000, chunks: 3, tokens: 30, firstChunkTokens: 10 }),
    })
    const summary = summarize([pass({ traces: [burst] })])
    expect(summary.perRequestTokensPerSecond).toEqual({ n: 0, p50: null, p10: null })
    expect(summary.meanSequenceTokens).toBe(null)
  })

  test('is not told by requests without a token in the window', () => {
    expect(summarize([pass({ traces: [streaming(100, 100, { window: null })] })]).itlMs.n).toBe(0)
  })
})

describe('steps', () => {
  test('last the mean of the middle half of the gaps, and steps per second is its inverse', () => {
    const summary = summarize([
      pass({
        gaps: [
          [20_000, 60],
          [25_000, 40],
        ],
      }),
    ])
    // Gaps 26 to 75: (35 × 20 + 15 × 25) / 50
    expect(summary.stepMs).toBe(21.5)
    expect(summary.stepsPerSecond).toBe(1000 / 21.5)
    expect(summary.interChunkMs).toMatchObject({ n: 100, p50: 20, p99: 25, max: 25 })
  })

  test('of several passes are judged on all gaps together', () => {
    const summary = summarize([pass({ gaps: [[20_000, 30]] }), pass({ gaps: [[30_000, 70]] })])
    // Gaps 26 to 75: (5 × 20 + 45 × 30) / 50
    expect(summary.stepMs).toBe(29)
  })

  test('bring tokens per chunk: all tokens of the window over all its chunks', () => {
    // (90 + 60) / (30 + 20)
    const traces = [streaming(90, 30), streaming(60, 20)]
    expect(summarize([pass({ traces })]).tokensPerChunk).toBe(3)
  })

  test('stall by the share of the streams’ time that lies in gaps of more than three medians', () => {
    // 2 streams × 10 s; median 20 ms; 2 gaps of 500 ms
    const gaps = [
      [20_000, 900],
      [500_000, 2],
    ] as const
    expect(summarize([pass({ gaps })]).stallFraction).toBe(1000 / 20_000)
  })

  test('of no length, when the server sends several chunks at once, tell no rate and no stall', () => {
    const gaps = [
      [0, 60],
      [40_000, 40],
    ] as const
    expect(summarize([pass({ gaps })])).toMatchObject({
      stepMs: null,
      stepsPerSecond: null,
      stallFraction: null,
    })
  })
})

describe('TTFT', () => {
  const launched = [100, 300].map(ttft =>
    trace({ purpose: 'launch', writtenAt: 1000, firstTokenAt: 1000 + ttft, endedAt: 15_000 }),
  )
  const replaced = (ttft: number, writtenAt = 12_000) =>
    trace({ purpose: 'steady', writtenAt, firstTokenAt: writtenAt + ttft, endedAt: 20_000 })

  test('is that of the replacements answered in the window, when there are three', () => {
    const traces = [...launched, replaced(10), replaced(30), replaced(20)]
    const { ttftMs } = summarize([pass({ traces })])
    expect(ttftMs).toMatchObject({ headline: 20, source: 'steady', steady: { n: 3, mean: 20, max: 30 } })
    expect(ttftMs.launch).toMatchObject({ n: 2, mean: 200, p50: 200 })
  })

  test('is that of the launch, when fewer were answered', () => {
    const { ttftMs } = summarize([pass({ traces: [...launched, replaced(10), replaced(30)] })])
    expect(ttftMs).toMatchObject({ headline: 200, source: 'launch', steady: { n: 2, p50: 20 } })
  })

  test('leaves out replacements that were written before the window or answered after it', () => {
    const traces = [
      replaced(10, 9999),
      replaced(10, 19_995),
      replaced(10, 10_000),
      replaced(10, 19_990),
      trace({ purpose: 'steady', writtenAt: 19_000, endedAt: 20_000 }),
    ]
    expect(summarize([pass({ traces })]).ttftMs.steady.n).toBe(2)
  })

  test('pools the passes, each with its own window', () => {
    const second = { from: 100_000, to: 110_000, sliceMs: 1000 }
    const { ttftMs } = summarize([
      pass({ traces: [replaced(10), replaced(20)] }),
      pass({ window: second, traces: [replaced(30, 105_000), replaced(500, 12_000)] }),
    ])
    expect(ttftMs).toMatchObject({ headline: 20, source: 'steady', steady: { n: 3 } })
  })
})

describe('load', () => {
  test('average active is the time between first and last tokens inside the window, over its length', () => {
    const traces = [
      // 10..20 s: 10 s
      trace({ firstTokenAt: 5000, lastTokenAt: 25_000 }),
      // 17..20 s: 3 s
      trace({ firstTokenAt: 17_000, lastTokenAt: 21_000 }),
      // 10..12 s: 2 s
      trace({ firstTokenAt: 8000, lastTokenAt: 12_000 }),
      // outside, and without a token
      trace({ firstTokenAt: 1000, lastTokenAt: 9000 }),
      trace({ firstTokenAt: null, lastTokenAt: null }),
    ]
    expect(summarize([pass({ traces })]).active.mean).toBe(1.5)
  })

  test('mean sequence is prompt and output so far, weighted by the time that it was held', () => {
    const traces = [
      // 1000 + 200 before + 100 / 2 = 1250 for 6 s
      trace({
        promptTokens: 1000,
        window: share({ firstAt: 10_000, lastAt: 16_000, chunks: 50, tokens: 100, tokensBefore: 200 }),
      }),
      // 1000 + 50 / 2 = 1025 for 3 s
      trace({
        promptTokens: 1000,
        window: share({ firstAt: 17_000, lastAt: 20_000, chunks: 25, tokens: 50 }),
      }),
      // its prompt is not counted
      trace({ promptTokens: null, window: share({ firstAt: 10_000, lastAt: 20_000, tokens: 500 }) }),
    ]
    // (1250 × 6 + 1025 × 3) / 9
    expect(summarize([pass({ traces })]).meanSequenceTokens).toBe(1175)
  })

  test('real prompt tokens are told with mean, least and most', () => {
    const traces = [8190, 8186, 8194, null].map(promptTokens => trace({ promptTokens }))
    expect(summarize([pass({ traces })]).promptTokens).toEqual({ mean: 8190, min: 8186, max: 8194 })
  })

  test('the worst load thread of all passes speaks for the client', () => {
    const passes = [
      pass({ client: { loopDelayP99Ms: 4, loopUtilisation: 0.2, workers: 2 } }),
      pass({ client: { loopDelayP99Ms: null, loopUtilisation: 0.5, workers: 2 } }),
    ]
    expect(summarize(passes).client).toEqual({ loopDelayP99Ms: 4, loopUtilisation: 0.5, workers: 2 })
  })

  test('the server’s figures are those of samples inside the window, its edges included', () => {
    const samples = [9999, 10_000, 20_000, 20_001].map((at, index) =>
      sample({ at, running: [100, 2, 4, 100][index] ?? null }),
    )
    expect(summarize([pass({ samples })]).server.running).toEqual({ mean: 3, max: 4 })
  })
})

describe('the share of requests that hold their limits', () => {
  const request = (ttft: number | null, itl: number | null) =>
    trace({
      writtenAt: 0,
      firstTokenAt: ttft,
      window: share({
        firstAt: 10_000,
        lastAt: 10_000 + (itl ?? 0) * 10,
        chunks: itl === null ? 1 : 11,
        tokens: 11,
      }),
    })
  const traces = [request(100, 10), request(100, 30), request(900, 10), request(900, 30)]
  const shareOf = (slo: typeof noSlo | { ttftMs: number | null; itlMs: number | null }, requests = traces) =>
    summarizeCell([pass({ traces: requests })], 4, slo).slo

  test('is unknown when none was asked for, or when there is no request to judge', () => {
    expect(shareOf(noSlo)).toBe(null)
    expect(shareOf({ ttftMs: 500, itlMs: null }, [])).toBe(null)
  })

  test('needs every limit that was asked for; a request just at its limit holds it', () => {
    expect(shareOf({ ttftMs: 500, itlMs: 20 })).toEqual({ share: 0.25, n: 4 })
    expect(shareOf({ ttftMs: 500, itlMs: null })).toEqual({ share: 0.5, n: 4 })
    expect(shareOf({ ttftMs: null, itlMs: 20 })).toEqual({ share: 0.5, n: 4 })
    expect(shareOf({ ttftMs: 100, itlMs: 10 })).toEqual({ share: 0.25, n: 4 })
  })

  test('judges a request only on figures that it has, and only by those that were asked for', () => {
    const few = [request(100, null), request(null, 10), request(900, 10)]
    expect(shareOf({ ttftMs: 500, itlMs: null }, few)).toEqual({ share: 0.5, n: 2 })
    expect(shareOf({ ttftMs: null, itlMs: 20 }, few)).toEqual({ share: 1, n: 2 })
    expect(shareOf({ ttftMs: 500, itlMs: 20 }, few)).toEqual({ share: 0, n: 1 })
  })

  test('leaves out requests without a token in the window', () => {
    const outside = trace({ writtenAt: 0, firstTokenAt: 100 })
    expect(shareOf({ ttftMs: 500, itlMs: null }, [outside])).toBe(null)
  })
})
