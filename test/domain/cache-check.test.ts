import { describe, expect, test } from 'vitest'
import { cacheHits, coldCache } from '../../src/domain/cache-check.ts'
import type { CellPass } from '../../src/domain/cell-summary.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { Job } from '../../src/domain/run-state.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { pass, sample, server, trace } from './build.ts'
import { answered, Desk, decode } from './desk.ts'

/** A prefill row whose requests found so many tokens in the cache. */
function row(promptTokens: number | null, ...cached: readonly (number | null)[]): Job {
  const desk = new Desk({ prefillContexts: [8192], phases: 'prefill' }).calibrate()
  if (desk.state.job === null) throw new Error('the row is under way')
  const samples = cached.map(cachedTokens => ({ promptTokens, cachedTokens, ttftMs: 300 }))
  return { ...desk.state.job, prefillSamples: samples, samples: [] }
}

describe('a cold prompt', () => {
  test('may find 256 tokens in the cache, or 1 % of it', () => {
    expect(cacheHits(row(8000, 0, 256))).toEqual([])
    // 1 % of 60,000
    expect(cacheHits(row(60_000, 600))).toEqual([])
  })

  test('that finds more is told, the worst of the row with its numbers', () => {
    expect(cacheHits(row(8000, 257, 8000, 0))).toEqual([
      { kind: 'cache-hit', cachedTokens: 8000, promptTokens: 8000 },
    ])
    expect(cacheHits(row(60_000, 601))).toMatchObject([{ cachedTokens: 601 }])
  })

  test('is not judged where the server tells nothing', () => {
    expect(cacheHits(row(8000, null, null))).toEqual([])
    expect(cacheHits(row(null, null))).toEqual([])
  })

  const counted = (cached: (number | null)[], told: number | null = null): Job => ({
    ...row(8000, told),
    traces: [1000, 2000].map(writtenAt => trace({ purpose: 'prefill', writtenAt, promptTokens: 8000 })),
    samples: cached.map((realtimeCachedTokens, index) =>
      sample({ at: 500 + index * 400, realtimeCachedTokens }),
    ),
  })

  test('is judged by the live counter where its usage does not tell, on average over the requests', () => {
    // samples at 500, 900, 1300: the one at 900 is the last before the first request; 520 and 512 of 2 requests
    expect(cacheHits(counted([0, 9000, 9520]))).toEqual([
      { kind: 'cache-hit', cachedTokens: 260, promptTokens: 8000 },
    ])
    expect(cacheHits(counted([0, 9000, 9512]))).toEqual([])
  })

  test('is judged by its usage where both tell; a counter that fell tells nothing', () => {
    expect(cacheHits(counted([0, 0, 9000], 0))).toEqual([])
    expect(cacheHits(counted([9000, 9000, 100]))).toEqual([])
  })

  test('of a row that found it in the cache leaves the row valid, with a warning', () => {
    const desk = new Desk({ prefillContexts: [131_072], phases: 'prefill' }).calibrate()
    desk.idle()
    desk.ended({ ...answered('prefill', 500_000, 131_000), cachedTokens: 130_000 })
    expect(desk.state.prefill[0]).toMatchObject({
      status: 'valid',
      reasons: [{ kind: 'cache-hit', cachedTokens: 130_000, promptTokens: 131_000 }],
    })
  })
})

describe('the prompts of a measured cell', () => {
  const judged = (passes: readonly CellPass[], facts = server(), cacheTold = true) =>
    coldCache(passes, facts, cacheTold)
  const request = (cachedTokens: number | null, change: Partial<RequestTrace> = {}) =>
    trace({
      purpose: 'launch',
      writtenAt: 9000,
      promptTokens: 8000,
      cachedTokens,
      outputTokens: 100,
      ...change,
    })

  test('may be computed up to 512 tokens, their last pages', () => {
    expect(judged([pass({ traces: [request(8000), request(7488)] })])).toEqual([])
  })

  test('that were computed beyond that are told: how many requests, of how many, and the most', () => {
    const traces = [request(8000), request(7487), request(1000, { purpose: 'steady' })]
    expect(judged([pass({ traces }), pass({ traces: [request(8000)] })])).toEqual([
      { kind: 'cache-cold', detail: 'requests', requests: 2, of: 4, mostTokens: 7000, limitTokens: 512 },
    ])
  })

  test('may miss two pages where these are longer, and a chunk with hybrid models', () => {
    const paged = server({}, { ...unknownLimits, pageSize: 1024 })
    // 2 × 1024
    expect(judged([pass({ traces: [request(5952)] })], paged)).toEqual([])
    expect(judged([pass({ traces: [request(5951)] })], paged)).toMatchObject([{ limitTokens: 2048 }])

    const samples = [sample({ at: 11_000, stateSlotUsage: 0.1 })]
    const chunked = {
      ...server(),
      launch: { command: null, source: null, settings: { chunked_prefill_size: 4096 } },
    }
    expect(judged([pass({ traces: [request(3904)], samples })], chunked)).toEqual([])
    expect(judged([pass({ traces: [request(3903)], samples })], chunked)).toMatchObject([
      { limitTokens: 4096 },
    ])
    expect(judged([pass({ traces: [request(0)], samples })])).toEqual([])
  })

  test('of which usage tells nothing were computed when the server tells it of others, if it came to its end', () => {
    const cutOff = request(null, { outcome: { kind: 'cut-off' } })
    expect(judged([pass({ traces: [request(null), cutOff] })])).toMatchObject([{ requests: 1, of: 1 }])
    expect(judged([pass({ traces: [request(null)] })], server(), false)).toEqual([])
  })

  /** Requests written at 9000 and answered later; the counter at 8000, 12000, 16000 and, after the window, 21000. */
  const counted = (computed: readonly number[], change: Partial<ServerSample> = {}, requests = 4) =>
    pass({
      traces: Array.from({ length: requests }, () => request(null, { firstTokenAt: 9500, endedAt: 20_100 })),
      samples: computed.map((realtimePrefillTokens, index) =>
        sample({
          at: [8000, 12_000, 16_000, 21_000][index] ?? 0,
          realtimePrefillTokens,
          realtimeCachedTokens: 0,
          ...change,
        }),
      ),
    })

  test('are judged by the live counter where usage does not tell, on average, up to the end of the window', () => {
    // 2052 and 2048 for 4 requests
    expect(judged([counted([100, 1000, 2152, 99_000])], server(), false)).toEqual([
      { kind: 'cache-cold', detail: 'average', requests: 4, meanTokens: 513, limitTokens: 512 },
    ])
    expect(judged([counted([100, 1000, 2148, 99_000])], server(), false)).toEqual([])
  })

  test('are judged by usage alone where that tells of all: what else was computed is not theirs', () => {
    const told = counted([100, 1000, 99_000])
    const traces = told.traces.map(trace => ({ ...trace, promptTokens: 8000, cachedTokens: 7900 }))
    expect(judged([{ ...told, traces }])).toEqual([])
  })

  test('are judged from the last look before the launch that told a count', () => {
    const told = counted([100, 1000, 2152])
    const mute = sample({ at: 8900 })
    const samples = [...told.samples.slice(0, 1), mute, ...told.samples.slice(1)]
    expect(judged([{ ...told, samples }], server(), false)).toMatchObject([{ meanTokens: 513 }])
  })

  test('are not judged by a count that holds cached tokens, that fell, or that saw no request', () => {
    expect(judged([counted([0, 0, 9000], { realtimeCachedTokens: null })], server(), false)).toEqual([])
    expect(judged([counted([9000, 0, 9000])], server(), false)).toEqual([])
    expect(judged([counted([0, 0, 9000], {}, 0)], server(), false)).toEqual([])
    expect(judged([pass()], server(), false)).toEqual([])
  })

  test('that were lost are told with the cell, whose own warm-up is not counted against it', () => {
    const desk = new Desk(decode(1)).calibrate()
    desk.look({ running: 0, queued: 0, realtimePrefillTokens: 0, realtimeCachedTokens: 0 }).obey()
    // the last look before the launch came before the warm-up's end
    desk.wait(500).look({ running: 0, queued: 0, realtimePrefillTokens: 0, realtimeCachedTokens: 0 })
    desk.wait(500).ended({ ...answered('warm', 32_000, 8180), endedAt: desk.now, cachedTokens: 0 })
    const writtenAt = desk.now + 1
    desk.wait(100).look({ running: 1, queued: 0, realtimePrefillTokens: 8180, realtimeCachedTokens: 0 })
    desk.open()
    const from = desk.state.job?.window?.from ?? 0
    const launched = (cachedTokens: number) =>
      request(cachedTokens, { writtenAt, firstTokenAt: writtenAt + 150, endedAt: from + 30_000 })
    desk.wait(30_000).look({ running: 1, realtimePrefillTokens: 8190, realtimeCachedTokens: 8000 })
    desk.wait(150).obey()
    const { events } = desk
    const closed = (cachedTokens: number) => {
      const other = new Desk(decode(1))
      for (const { at, ...fact } of events.slice(other.events.length)) {
        other.now = at
        other.tell(fact)
      }
      other.closed(from + 30_000, [launched(cachedTokens)])
      return other.cell(0)
    }
    expect(closed(7990).reasons.map(({ kind }) => kind)).toEqual(['few-samples'])
    expect(closed(100)).toMatchObject({
      status: 'valid',
      reasons: [{ kind: 'cache-cold', mostTokens: 7900 }, { kind: 'few-samples' }],
    })
  })
})
