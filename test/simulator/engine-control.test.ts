import { expect, test } from 'vitest'
import { ask, endings, plainEngine, runUntilIdle, tokenTimes } from './harness.ts'

test('an abort lets the running step finish, frees the KV and keeps it cached', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 1000), 0)
  engine.advanceTo(95)
  engine.abort('a', 95)
  expect(endings(engine.advanceTo(99))).toEqual([])
  expect(endings(engine.advanceTo(100))).toEqual(['a abort'])
  expect(engine.nextAt()).toBeNull()
  expect(engine.isLive('a')).toBe(false)
  expect(engine.scheduler.gauges()).toMatchObject({ running: 0, usedTokens: 0, evictableTokens: 50 })
})

test('a queued request is aborted at once, without a token', () => {
  const engine = plainEngine({ limits: { maxRunningRequests: 1 } })
  engine.submit(ask('a', 50, 1000), 0)
  engine.submit(ask('b', 50, 1000), 0)
  engine.advanceTo(95)
  engine.abort('b', 95)
  const outputs = engine.advanceTo(95)
  expect(endings(outputs)).toEqual(['b abort'])
  expect(tokenTimes(outputs, 'b')).toEqual([])
})

test('a request in the midst of its prefill or in the tokenizer can be aborted', () => {
  const engine = plainEngine({ host: { tokenizerUs: 1000 } })
  engine.submit(ask('a', 500, 1000), 0)
  engine.submit(ask('b', 500, 1000), 0)
  engine.advanceTo(650)
  engine.abort('', 650)
  expect(endings(runUntilIdle(engine))).toEqual(['a abort', 'b abort'])
  expect(engine.scheduler.gauges().usedTokens).toBe(0)
})

test('an abort hits every request whose id begins with the given one', () => {
  const engine = plainEngine()
  for (const rid of ['b-1', 'b-10', 'b-2']) engine.submit(ask(rid, 10, 20), 0)
  engine.advanceTo(50)
  engine.abort('b-1', 50)
  expect(endings(runUntilIdle(engine))).toEqual(['b-1 abort', 'b-10 abort', 'b-2 length'])
})

test('the cache is flushed only when the scheduler is idle', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 3), 0)
  engine.advanceTo(55)
  expect(engine.flush()).toBe(false)
  runUntilIdle(engine)
  expect(engine.scheduler.gauges().evictableTokens).toBe(50)
  expect(engine.flush()).toBe(true)
  expect(engine.scheduler.gauges()).toMatchObject({ evictableTokens: 0, availableTokens: 20_000 })
})

test('gauges are published at each prefill, each 40th decode step and at the end; counters are live', () => {
  const engine = plainEngine()
  const { scheduler } = engine
  engine.submit(ask('a', 50, 100), 0)
  engine.advanceTo(440)
  // In the prefill, the request counts neither as running nor as queued.
  expect(scheduler.published).toMatchObject({ running: 0, queued: 0, usedTokens: 50, tokensPerSecond: 0 })
  expect(scheduler.meters.realtime.decode).toBe(39)
  engine.advanceTo(450)
  // 40 tokens since time 0.
  expect(scheduler.published).toMatchObject({ running: 1, tokensPerSecond: 40 / 0.45 })
  engine.advanceTo(850)
  expect(scheduler.published.tokensPerSecond).toBe(100)
  runUntilIdle(engine)
  expect(scheduler.published).toMatchObject({ running: 0, usedTokens: 0, tokensPerSecond: 0 })
})

test('finish-time counters and latencies speak of the whole request', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 11), 0)
  engine.advanceTo(100)
  expect(engine.meters.streamed).toMatchObject({
    requests: 0,
    outputTokens: 0,
    ttftSeconds: { sum: 0.05, count: 1 },
  })
  runUntilIdle(engine)
  expect(engine.meters.streamed).toMatchObject({ requests: 1, promptTokens: 50, outputTokens: 11 })
  expect(engine.meters.streamed.e2eSeconds.sum).toBeCloseTo(0.15)
  expect(engine.meters.itlSeconds).toMatchObject({ count: 10 })
  // The first token is the prefill's, and not among the decoded ones.
  expect(engine.scheduler.meters.realtime).toEqual({ prefillCompute: 50, prefillCache: 0, decode: 10 })
})
