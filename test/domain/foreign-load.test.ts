import { describe, expect, test } from 'vitest'
import { foreignInRow, foreignLoad, foreignPrompts } from '../../src/domain/foreign-load.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { pass, sample, trace } from './build.ts'

/** Two streams of ours through a window from 10 s to 20 s, and the server's count each 500 ms from 10.5 s on. */
function withRunning(...running: readonly (number | null)[]) {
  return passWith(running.map((count, index) => ({ at: 10_500 + index * 500, running: count })))
}

function passWith(samples: readonly Partial<ServerSample>[], also: readonly RequestTrace[] = []) {
  const ours = [0, 1].map(stream =>
    trace({ purpose: 'launch', stream, writtenAt: 9000, firstTokenAt: 9100, endedAt: 20_100 }),
  )
  return pass({ traces: [...ours, ...also], samples: samples.map(one => sample(one)) })
}

test('what the server runs beside ours for 2 s is somebody else’s, with the numbers', () => {
  expect(foreignLoad(withRunning(2, 5, 5, 5, 5, 5, 2))).toEqual([
    { kind: 'foreign-load', detail: 'in-window', running: 5, ours: 2, seconds: 2 },
  ])
})

test('less than 2 s may be a request of ours that just ended', () => {
  expect(foreignLoad(withRunning(2, 3, 3, 3, 3, 2))).toEqual([])
  expect(foreignLoad(withRunning(3, 3, 2, 3, 3, 2, 3, 3, 2))).toEqual([])
})

test('in a window of 1 s half of it is enough', () => {
  const window = { from: 10_000, to: 11_000, sliceMs: 100 }
  const beside = (...running: readonly number[]) => {
    const whole = passWith(running.map((count, index) => ({ at: 10_100 + index * 100, running: count })))
    return foreignLoad({ ...whole, counts: { ...whole.counts, window } })
  }
  expect(beside(3, 3, 3, 3, 3, 3)).toMatchObject([{ running: 3, ours: 2, seconds: 0.5 }])
  expect(beside(3, 3, 3, 3, 3, 2)).toEqual([])
})

test('a restart of ours beside it does not hide it: SGLang counts a request as running from its first token on', () => {
  // At 11.5 s a third stream of ours waits for its token; 3 running may be 2 of ours and 1 of someone else.
  const restart = trace({ stream: 2, writtenAt: 11_400, firstTokenAt: 11_600, endedAt: 11_900 })
  const samples = [3, 3, 3, 3, 3].map((running, index) => ({ at: 10_500 + index * 500, running }))
  expect(foreignLoad(passWith(samples, [restart]))).toMatchObject([{ running: 3, ours: 2, seconds: 2 }])
  // 2 running and 1 waiting are ours alone.
  const alone = [3, 3, 2, 3, 3].map((running, index) => ({ at: 10_500 + index * 500, running }))
  expect(foreignLoad(passWith(alone, [restart]))).toEqual([])
})

test('gauges that have moved since the cell was warm are held against all our streams', () => {
  const gauge = (...running: readonly number[]) =>
    passWith(running.map((count, index) => ({ at: 9000 + index * 1000, running: count, fresh: false })))
  expect(foreignLoad(gauge(0, 4, 4, 4))).toMatchObject([{ running: 4, ours: 2, seconds: 2 }])
  expect(foreignLoad(gauge(4, 4, 4, 4))).toEqual([])
  // Left over from the cell before
  expect(foreignLoad(gauge(8, 8, 8, 8, 2, 2))).toEqual([])
  expect(foreignLoad(gauge(0, 2, 2, 2))).toEqual([])
})

test('half a request more is more, a smaller mean is not', () => {
  expect(foreignLoad(withRunning(2.5, 2.5, 2.5, 2.5, 2.5))).toHaveLength(1)
  expect(foreignLoad(withRunning(2.4, 2.4, 2.4, 2.4, 2.4))).toEqual([])
})

test('stale counts, missing counts and samples outside the window prove nothing', () => {
  expect(foreignLoad(withRunning(null, null, null, null, null, null))).toEqual([])
  const busy = [0, 1, 2, 3, 4, 5].map(index => ({ at: 10_500 + index * 500, running: 9 }))
  expect(foreignLoad(passWith(busy.map(one => ({ ...one, fresh: false }))))).toEqual([])
  expect(foreignLoad(passWith(busy.map(one => ({ ...one, at: one.at - 5000 }))))).toEqual([])
})

describe('in a prefill row', () => {
  /** Two requests with prompts of 1,000 tokens, and the counters before and after them. */
  function row(decode: number, prefill: number, cached: number | null = null) {
    const traces = [10_000, 11_000].map(at =>
      trace({
        purpose: 'prefill',
        writtenAt: at,
        firstTokenAt: at + 500,
        endedAt: at + 500,
        promptTokens: 1000,
      }),
    )
    const at = (time: number, tokens: { decode: number; prefill: number; cached: number | null }) =>
      sample({
        at: time,
        realtimeDecodeTokens: tokens.decode,
        realtimePrefillTokens: tokens.prefill,
        realtimeCachedTokens: tokens.cached,
      })
    const before = { decode: 70, prefill: 5000, cached: cached === null ? null : 0 }
    const after = { decode: 70 + decode, prefill: 5000 + prefill, cached }
    return { traces, samples: [at(9900, before), at(11_600, after)] }
  }

  test('our own requests make and read what they should', () => {
    expect(foreignInRow(row(0, 2000))).toEqual([])
    // 2 first tokens, a wasted step for each, 16 of health checks: 2 + 2 × 2 + 16 = 22
    expect(foreignInRow(row(22, 2000))).toEqual([])
    // 2000 + 1 % + 256 for each = 2532
    expect(foreignInRow(row(0, 2032, 500))).toEqual([])
  })

  test('tokens that the server made beside them are somebody else’s', () => {
    // 21 of them beside 2000 prompt and 2 output tokens; 20 allowed
    expect(foreignInRow(row(23, 2000))).toEqual([
      { kind: 'foreign-load', detail: 'tokens', agreement: 1 + 21 / 2002, tolerance: 20 / 2002 },
    ])
  })

  test('and so are prompts that it read beside them, computed or cached', () => {
    expect(foreignInRow(row(0, 3001))).toMatchObject([{ agreement: 1 + 1001 / 2002 }])
    expect(foreignInRow(row(0, 2000, 1001))).toMatchObject([{ agreement: 1 + 1001 / 2002 }])
  })

  test('counters that fell or are not there prove nothing', () => {
    expect(foreignInRow(row(-50, -3000))).toEqual([])
    expect(foreignInRow({ ...row(0, 0), samples: [sample({ at: 9900 })] })).toEqual([])
  })
})

describe('prompts that the server read beside ours', () => {
  /** Two requests with prompts of 1,000 tokens, 900 of them cached; the server computed so many until 12.1 s. */
  function read(computed: number, change: Partial<ServerSample> = {}, cachedTokens: number | null = 900) {
    const traces = [10_100, 11_100].map(writtenAt =>
      trace({ writtenAt, firstTokenAt: writtenAt + 500, endedAt: 20_100, promptTokens: 1000, cachedTokens }),
    )
    const samples = [
      sample({ at: 10_000, realtimePrefillTokens: 7000, realtimeCachedTokens: 0 }),
      sample({ at: 12_100, realtimePrefillTokens: 7000 + computed, realtimeCachedTokens: 0, ...change }),
    ]
    return [pass({ traces, samples })]
  }

  test('are somebody else’s beyond what ours had uncached, page rounding and a percent of the window', () => {
    // 2 × 100 uncached + 4096 + 2 × 256 = 4808
    expect(foreignPrompts(read(4808), true)).toEqual([])
    // 4800 beside 2000 of ours
    expect(foreignPrompts(read(5000), true)).toMatchObject([{ kind: 'foreign-load', agreement: 3.4 }])
  })

  test('may be all of ours where usage tells nothing of the cache', () => {
    // 2 × 1000 + 4096 + 2 × 256 = 6608
    expect(foreignPrompts(read(6608, {}, null), false)).toEqual([])
    expect(foreignPrompts(read(6609, {}, null), false)).toHaveLength(1)
  })

  test('are not judged while the KV cache is full: ours may be read anew', () => {
    expect(foreignPrompts(read(50_000, { kvCacheUsage: 0.95 }), true)).toEqual([])
  })
})
