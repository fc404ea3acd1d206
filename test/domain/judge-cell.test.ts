import { describe, expect, test } from 'vitest'
import { type CellPass, summarizeCell } from '../../src/domain/cell-summary.ts'
import { judgeCell } from '../../src/domain/judge-cell.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import type { Reason } from '../../src/domain/verdict.ts'
import { failed, pass, refused, sample, share, trace } from './build.ts'

const notDrained: Reason = { kind: 'foreign-load', detail: 'not-drained', running: 3 }
const tight: Reason = { kind: 'kv-tight', needed: 10, available: 9 }

function judge(passes: readonly CellPass[], concurrency: number, evidence: readonly Reason[] = []) {
  const summary = summarizeCell(passes, concurrency, { ttftMs: null, itlMs: null })
  return judgeCell(summary, passes, concurrency, evidence)
}

/** As many requests as asked for, each long enough to tell its speed: streaming through the window. */
function requests(n: number, change: Partial<RequestTrace> = {}): RequestTrace[] {
  return Array.from({ length: n }, () =>
    trace({
      writtenAt: 9000,
      firstTokenAt: 9100,
      lastTokenAt: 20_000,
      endedAt: 20_100,
      outcome: { kind: 'cut-off' },
      window: share({ firstAt: 10_000, lastAt: 20_000, chunks: 100, tokens: 100 }),
      ...change,
    }),
  )
}

const enough = requests(8)
const sampled = (...readings: readonly Partial<ServerSample>[]) =>
  readings.map((reading, index) => sample({ at: 10_500 + index * 500, ...reading }))
const kinds = ({ reasons }: { reasons: readonly Reason[] }) => reasons.map(({ kind }) => kind)

test('a full window on an idle, counted server is valid, without a reason', () => {
  const samples = sampled({ running: 8, queued: 0 })
  expect(judge([pass({ traces: enough, samples })], 8)).toEqual({ status: 'valid', reasons: [] })
})

test('without server metrics queueing is unknown, and the cell valid', () => {
  const samples = sampled({ running: null, queued: null })
  expect(judge([pass({ traces: enough, samples })], 128).status).toBe('valid')
  expect(judge([pass({ traces: enough })], 128).status).toBe('valid')
})

describe('requests are queued', () => {
  const withQueue = (queued: number, of: number) =>
    sampled(...Array.from({ length: of }, (_, index) => ({ running: 8, queued: index < queued ? 1 : 0 })))

  test('when something waited in 20 % of the samples', () => {
    expect(judge([pass({ traces: enough, samples: withQueue(2, 10) })], 8)).toEqual({
      status: 'requests-queued',
      reasons: [{ kind: 'requests-queued', queuedShare: 0.2, meanInFlight: 8, wanted: 8 }],
    })
  })

  test('but not when it did in fewer: one sample after a restart is normal', () => {
    expect(judge([pass({ traces: enough, samples: withQueue(1, 6) })], 8).status).toBe('valid')
  })

  test('nor when it was one sample, however few there are', () => {
    expect(judge([pass({ traces: enough, samples: withQueue(1, 4) })], 8).status).toBe('valid')
    expect(judge([pass({ traces: enough, samples: withQueue(2, 4) })], 8).status).toBe('requests-queued')
  })

  test('by the fresh samples alone, where there are any', () => {
    const stale = { fresh: false, running: 8, queued: 5 }
    const fresh = { running: 8, queued: 0 }
    expect(judge([pass({ traces: enough, samples: sampled(stale, stale, fresh) })], 8).status).toBe('valid')
  })

  test('by stale ones only while a stream of ours waits, and never by what they say is running', () => {
    const stale = sampled({ fresh: false, running: 0, queued: 5 }, { fresh: false, running: 0, queued: 5 })
    expect(judge([pass({ traces: enough, samples: stale })], 8).status).toBe('valid')
    const waiting = trace({ writtenAt: 10_400, endedAt: 20_100, outcome: { kind: 'cut-off' } })
    expect(judge([pass({ traces: [...enough, waiting], samples: stale })], 8)).toMatchObject({
      status: 'requests-queued',
      reasons: [{ kind: 'requests-queued', queuedShare: 1, meanInFlight: null, wanted: 8 }],
    })
  })

  test('by samples inside the window alone', () => {
    const before = sample({ at: 9999, running: 1, queued: 7 })
    expect(judge([pass({ traces: enough, samples: [before] })], 8).status).toBe('valid')
  })

  test('when fewer than 95 % of the streams ran, even if the server tells no queue', () => {
    // 0.95 × 20 = 19
    const running = (...values: readonly number[]) => sampled(...values.map(one => ({ running: one })))
    expect(judge([pass({ traces: enough, samples: running(19, 19) })], 20).status).toBe('valid')
    expect(judge([pass({ traces: enough, samples: running(19, 18) })], 20)).toEqual({
      status: 'requests-queued',
      reasons: [{ kind: 'requests-queued', queuedShare: null, meanInFlight: 18.5, wanted: 20 }],
    })
  })

  test('where a stream that waits for its first token counts as in work: a long cached TTFT is no queue', () => {
    // sampled at 10500 with 1 of 2 running; the other is written at 10400 and answered at 10600
    const waiting = trace({ writtenAt: 10_400, firstTokenAt: 10_600, endedAt: 10_700 })
    const samples = sampled({ running: 1, queued: 0 })
    expect(judge([pass({ traces: [...enough, waiting], samples })], 2).status).toBe('valid')
    expect(judge([pass({ traces: enough, samples })], 2).status).toBe('requests-queued')
  })

  test('where a stream that ended without a token waited until its end', () => {
    // The server looked between 10496 and 10500: in the middle.
    const samples = sampled({ running: 1 })
    const unanswered = (endedAt: number) =>
      trace({ writtenAt: 10_400, endedAt, outcome: { kind: 'cut-off' } })
    expect(judge([pass({ traces: [...enough, unanswered(10_499)], samples })], 2).status).toBe('valid')
    expect(judge([pass({ traces: [...enough, unanswered(10_498)], samples })], 2).status).toBe(
      'requests-queued',
    )
  })
})

describe('requests fail', () => {
  const broken = failed(refused, { writtenAt: 11_000, endedAt: 12_000 })

  test('too often when it is more than 1 % of them', () => {
    expect(judge([pass({ traces: [...requests(99), broken] })], 8).status).toBe('valid')
    const verdict = judge([pass({ traces: [...requests(98), broken] })], 8)
    expect(verdict).toEqual({
      status: 'invalid',
      reasons: [
        { kind: 'requests-failed', failed: 1, started: 99, example: 'could not connect: ECONNREFUSED' },
      ],
    })
  })

  test('without consequence outside the window', () => {
    const early = failed(refused, { writtenAt: 1000, endedAt: 9000 })
    expect(judge([pass({ traces: [...enough, early] })], 8).status).toBe('valid')
  })
})

test('fewer than 8 requests that tell their speed are few samples: a warning, with their number', () => {
  expect(judge([pass({ traces: requests(7) })], 8)).toEqual({
    status: 'valid',
    reasons: [{ kind: 'few-samples', n: 7 }],
  })
  expect(judge([pass({ traces: requests(4) }), pass({ traces: requests(4) })], 8).reasons).toEqual([])
})

test('tokens that were not counted by the server are a warning, with how they were counted', () => {
  const judged = (...countings: readonly RequestTrace['counting'][]) => {
    const estimated = countings.flatMap(counting => requests(1, { counting }))
    return judge([pass({ traces: [...enough, ...estimated] })], 8)
  }
  expect(judged('final-usage')).toEqual({
    status: 'valid',
    reasons: [{ kind: 'tokens-estimated', counting: 'final-usage' }],
  })
  expect(judged('final-usage', 'chunks').reasons).toEqual([{ kind: 'tokens-estimated', counting: 'chunks' }])
})

test('how a request was counted does not matter when it had no token in the window', () => {
  const traces = [...enough, trace({ counting: 'chunks' })]
  expect(judge([pass({ traces })], 8).reasons).toEqual([])
})

test('answers that repeat themselves are a warning, with how many and their shortest piece', () => {
  const looping = [
    { periodChars: 90, example: 'Once more' },
    { periodChars: 7, example: 'ha ha! ' },
  ].flatMap(loop => requests(1, { loop }))
  expect(judge([pass({ traces: [...enough, ...looping] })], 8)).toEqual({
    status: 'valid',
    reasons: [
      { kind: 'output-loop', requests: 2, of: enough.length + 2, periodChars: 7, example: 'ha ha! ' },
    ],
  })
})

test('a window without a token failed', () => {
  const verdict = judge([pass({ sliceTokens: [0, 0] })], 8)
  expect(verdict.status).toBe('failed')
  expect(kinds(verdict)).toEqual(['no-tokens', 'few-samples'])
})

test('a window without a token at a client that did not keep up is invalid: what arrived, nobody read', () => {
  const client = { loopDelayP99Ms: 2000, loopUtilisation: null, workers: 1 }
  const verdict = judge([pass({ sliceTokens: [0, 0], client })], 8)
  expect(verdict.status).toBe('invalid')
  expect(kinds(verdict)).toEqual(['client-limited', 'few-samples'])
})

test('what was seen before the window makes a cell invalid, or is only told', () => {
  expect(judge([pass({ traces: enough })], 8, [notDrained])).toEqual({
    status: 'invalid',
    reasons: [notDrained],
  })
  expect(judge([pass({ traces: enough })], 8, [tight])).toEqual({ status: 'valid', reasons: [tight] })
})

test('failed goes before invalid, invalid before queued, queued before valid; every reason is told', () => {
  const samples = sampled({ running: 1, queued: 7 })
  const queuedOnly = judge([pass({ traces: enough, samples })], 8, [tight])
  expect([queuedOnly.status, kinds(queuedOnly)]).toEqual(['requests-queued', ['kv-tight', 'requests-queued']])

  const foreign = judge([pass({ traces: enough, samples })], 8, [notDrained])
  expect([foreign.status, kinds(foreign)]).toEqual(['invalid', ['foreign-load', 'requests-queued']])

  const empty = judge([pass({ sliceTokens: [0], traces: enough, samples })], 8, [notDrained])
  expect(empty.status).toBe('failed')
  expect(kinds(empty)).toEqual(['foreign-load', 'no-tokens', 'requests-queued'])
})

describe('the client', () => {
  const client = (loopDelayP99Ms: number | null, loopUtilisation: number | null) =>
    judge([pass({ traces: enough, client: { loopDelayP99Ms, loopUtilisation, workers: 1 } })], 8)

  test('that kept up is not mentioned', () => {
    // ITL is (20,000 - 10,000) / 99 = 101 ms; a third of it 33.7, a third of 0.95 is 0.317
    expect(client(33, 0.31)).toEqual({ status: 'valid', reasons: [] })
    expect(client(null, null)).toEqual({ status: 'valid', reasons: [] })
  })

  test('that was busy, from a third of the limits on, is said to be', () => {
    expect(client(34, 0.1).reasons).toEqual([
      { kind: 'client-busy', loopDelayP99Ms: 34, loopUtilisation: 0.1 },
    ])
    expect(kinds(client(1, 0.32))).toEqual(['client-busy'])
    expect(client(1, 0.32).status).toBe('valid')
  })

  test('that counted late makes a cell invalid: later than an ITL or 25 ms, or more than 95 % busy', () => {
    expect(client(102, 0.1)).toMatchObject({ status: 'invalid', reasons: [{ kind: 'client-limited' }] })
    expect(client(1, 0.96)).toMatchObject({ status: 'invalid', reasons: [{ kind: 'client-limited' }] })
  })
})

test('requests that the server took back are told with their number', () => {
  const samples = sampled({ retractions: 4 }, { retractions: 7 })
  expect(judge([pass({ traces: enough, samples })], 8)).toEqual({
    status: 'valid',
    reasons: [{ kind: 'retracted', retractions: 3 }],
  })
})

test('somebody else’s requests inside the window make the cell invalid', () => {
  const samples = sampled(...Array.from({ length: 5 }, () => ({ running: 9, queued: 0 })))
  expect(judge([pass({ traces: enough, samples })], 8)).toMatchObject({
    status: 'invalid',
    reasons: [{ kind: 'foreign-load', detail: 'in-window', running: 9, ours: 8, seconds: 2 }],
  })
})

describe('double entry', () => {
  /** Ours are 10 tokens a second; the server counted so many in 8 s. */
  const serverMade = (tokens: number, change: Partial<RequestTrace> = {}) => {
    const samples = [
      sample({ at: 11_000, tookMs: 0, running: 8, realtimeDecodeTokens: 0 }),
      sample({ at: 19_000, tookMs: 0, running: 8, realtimeDecodeTokens: tokens }),
    ]
    return judge([pass({ traces: requests(8, change), samples })], 8)
  }

  // 80 tokens of ours, tolerance 1 % + 2 × 8 × 1 / 80 = 21 %
  test('that holds within its tolerance is not mentioned', () => {
    expect(serverMade(96)).toEqual({ status: 'valid', reasons: [] })
    expect(serverMade(64)).toEqual({ status: 'valid', reasons: [] })
  })

  test('with more tokens on the server than here means that somebody else got them', () => {
    expect(serverMade(97)).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'foreign-load', detail: 'tokens' }],
    })
  })

  test('with fewer tokens on the server than here means that one of the counts is wrong', () => {
    expect(serverMade(63)).toMatchObject({ status: 'invalid', reasons: [{ kind: 'accounting-mismatch' }] })
  })

  // 8 % more for estimates: 80 × (1 + 0.21 + 0.08) = 103.2
  test('allows for what estimates may be off', () => {
    expect(kinds(serverMade(103, { counting: 'final-usage' }))).toEqual(['tokens-estimated'])
    expect(serverMade(104, { counting: 'final-usage' })).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'foreign-load', detail: 'tokens' }, { kind: 'tokens-estimated' }],
    })
  })

  test('tells when the chunks that were taken for tokens hold more of them', () => {
    expect(kinds(serverMade(103, { counting: 'chunks' }))).toEqual(['tokens-estimated'])
    expect(serverMade(240, { counting: 'chunks' })).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'accounting-mismatch' }, { kind: 'tokens-estimated' }],
    })
  })
})
