import { expect, test } from 'vitest'
import { retractionVictim } from '../../src/simulator/engine/retraction.ts'
import type { StepRecord } from '../../src/simulator/engine/step.ts'
import { seededRandom } from '../../src/simulator/random.ts'
import { ask, endings, plainEngine, runUntilIdle, speculation, tokenTimes, totalTokens } from './harness.ts'

test('a prompt seen before is not computed again, but for its last page', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 95, 1, 'topic'), 0)
  engine.submit(ask('b', 95, 1, 'topic'), 1000)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'b')).toEqual([1005])
  expect(outputs.map(({ request }) => request.cachedTokens)).toEqual([0, 90])
  expect(engine.scheduler.meters.realtime).toMatchObject({ prefillCompute: 100, prefillCache: 90 })
})

test('at least one token is computed, even when every page is cached', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 100, 1, 'topic'), 0)
  engine.submit(ask('b', 100, 1, 'topic'), 1000)
  expect(tokenTimes(runUntilIdle(engine), 'b')).toEqual([1010])
})

test('a longer prompt re-uses the shorter one that it begins with', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 60, 1, 'topic'), 0)
  engine.submit(ask('b', 90, 1, 'topic'), 1000)
  expect(tokenTimes(runUntilIdle(engine), 'b')).toEqual([1030])
})

test('a new prompt drives out the ends of what was used longest ago; what is left of it is still hit', () => {
  const engine = plainEngine({ limits: { kvPoolTokens: 200 } })
  engine.submit(ask('a', 100, 1, 'topic'), 0)
  engine.submit(ask('b', 130, 1), 1000)
  engine.submit(ask('c', 100, 1, 'topic'), 2000)
  const outputs = runUntilIdle(engine)
  // b takes 3 of the 10 pages of a; c finds 7, and takes 3 of b.
  expect(outputs.map(({ request }) => request.cachedTokens)).toEqual([0, 0, 70])
  expect(tokenTimes(outputs, 'c')).toEqual([2030])
  expect(engine.scheduler.pool.evictedPages).toBe(6)
})

test('prompt and output of a finished request stay cached, and count as evictable, not as used', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 31), 0)
  runUntilIdle(engine)
  // The last of the 31 output tokens never gets KV.
  expect(engine.scheduler.gauges()).toMatchObject({
    usedTokens: 0,
    evictableTokens: 80,
    availableTokens: 19_920,
  })
})

test('a request waits for KV memory, and those behind it wait with it', () => {
  const engine = plainEngine({ limits: { kvPoolTokens: 200 } })
  engine.submit(ask('a', 100, 50), 0)
  engine.submit(ask('b', 80, 20), 10)
  engine.submit(ask('c', 10, 1), 20)
  const outputs = runUntilIdle(engine)
  expect(endings(outputs)).toEqual(['a length', 'c length', 'b length'])
  const [aEnd] = tokenTimes(outputs, 'a').slice(-1)
  expect(Math.min(...tokenTimes(outputs, 'b'), ...tokenTimes(outputs, 'c'))).toBeGreaterThan(
    aEnd ?? Number.NaN,
  )
})

test.each([
  ['just fits', 35, 140],
  ['is one token short', 36, 340],
])('at the edge of the pool: what %s is admitted at %3$i ms', (_, maxNewTokens, firstTokenAt) => {
  const engine = plainEngine({ limits: { kvPoolTokens: 200 } })
  engine.submit(ask('a', 100, 21), 0)
  engine.submit(ask('b', 40, maxNewTokens), 50)
  // At 100, a holds 100 of 200 tokens and is expected to need 0.7 × 20 more: 86 are left. b needs 40, a page of 10, and its output,
  // and that has to be less. Later a holds a page more, until it leaves at 300.
  expect(tokenTimes(runUntilIdle(engine), 'b')[0]).toBe(firstTokenAt)
})

test('no more requests run than the launch flag allows; the queue is first come, first served', () => {
  const engine = plainEngine({ limits: { maxRunningRequests: 2 } })
  for (const rid of ['a', 'b', 'c', 'd']) engine.submit(ask(rid, 10, 5), 0)
  let most = 0
  const outputs = runUntilIdle(engine, () => {
    most = Math.max(most, engine.scheduler.running.length)
  })
  expect(most).toBe(2)
  expect(endings(outputs)).toEqual(['a length', 'b length', 'c length', 'd length'])
})

test('state slots of a hybrid model cap the running requests below the launch flag', () => {
  const state = { total: 17, reservedPerRequest: 5, heldPerRequest: 4 }
  const engine = plainEngine({ limits: { maxRunningRequests: 8, state } })
  for (let i = 0; i < 6; i++) engine.submit(ask(`r${i}`, 10, 100), 0)
  engine.advanceTo(200)
  expect(engine.scheduler.gauges()).toMatchObject({ running: 3, queued: 3, stateSlotsUsed: 12 })
})

test('when KV runs out, the request with the fewest output tokens goes back to the queue and loses no token', () => {
  const engine = plainEngine({ limits: { kvPoolTokens: 400 } })
  // Admission bets on 70 % of each output, so that all four get in: 4 × 110 tokens into 400.
  const rids = ['a', 'b', 'c', 'd']
  rids.forEach((rid, i) => {
    engine.submit(ask(rid, 10, 100), i * 40)
  })
  let retracted: string | undefined
  const outputs = runUntilIdle(engine, () => {
    if (engine.scheduler.meters.retracted.requests > 0)
      retracted ??= engine.scheduler.waiting.map(({ rid }) => rid).join()
  })
  expect(retracted).toBe('d')
  expect(engine.scheduler.meters.retracted.requests).toBe(1)
  expect(endings(outputs)).toEqual(['a length', 'b length', 'c length', 'd length'])
  expect(rids.map(rid => totalTokens(outputs, rid))).toEqual([100, 100, 100, 100])
})

test('a retracted request computes prompt and output again, but for what is still cached, and its client sees a pause', () => {
  const prefills: StepRecord['requests'][number][] = []
  const engine = plainEngine({ limits: { kvPoolTokens: 400 } }, 1, ({ kind, requests }) => {
    if (kind === 'prefill') prefills.push(...requests)
  })
  for (const [i, rid] of ['a', 'b', 'c', 'd'].entries()) engine.submit(ask(rid, 10, 100), i * 40)
  const times = tokenTimes(runUntilIdle(engine), 'd')
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at))
  const pause = gaps.indexOf(Math.max(...gaps))
  const [first, again] = prefills.filter(({ rid }) => rid === 'd')
  // The prompt's one page is still cached; of the output nothing is.
  expect([first?.promptTokens, again?.promptTokens]).toEqual([10, pause + 1])
  expect(gaps.filter(gap => gap > 10 + 40)).toHaveLength(1)
  const { retracted } = engine.scheduler.meters
  expect(retracted).toEqual({ requests: 1, inputTokens: 10, outputTokens: pause + 1 })
})

test('retracted first is the fewest output, then the longest prompt; with speculation, who joined last', () => {
  const request = (rid: string, promptTokens: number, outputTokens: number) => ({
    rid,
    prompt: { tokens: promptTokens, pageHashes: new Float64Array() },
    outputTokens,
  })
  const running = [request('a', 10, 7), request('b', 10, 5), request('c', 30, 5), request('d', 90, 9)]
  expect(retractionVictim(running, false)?.rid).toBe('c')
  expect(retractionVictim(running, true)?.rid).toBe('d')
})

test('output is cut to what the whole pool can hold, so that a request alone always ends', () => {
  const engine = plainEngine({ limits: { kvPoolTokens: 100 } })
  engine.submit(ask('a', 60, 1000), 0)
  const outputs = runUntilIdle(engine)
  expect(endings(outputs)).toEqual(['a length'])
  expect(totalTokens(outputs, 'a')).toBe(40)
})

test('a request that speculation leaves without room, even alone, is aborted', () => {
  const speculative = speculation({ draftTokens: 8, acceptLength: 1 })
  const engine = plainEngine({ limits: { kvPoolTokens: 100 }, speculative })
  engine.submit(ask('a', 60, 1000), 0)
  engine.submit(ask('b', 20, 5), 500)
  const outputs = runUntilIdle(engine)
  // 60 + 32 tokens are held when 8 more fit for the last time.
  expect(endings(outputs)).toEqual(['a abort', 'b length'])
  expect(totalTokens(outputs, 'a')).toBe(34)
})

test('KV never exceeds the pool, nothing leaks, and everyone gets all tokens, whatever comes', () => {
  const random = seededRandom(3)
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min))
  const engine = plainEngine({
    limits: { kvPoolTokens: 1000, maxRunningRequests: 9 },
    speculative: speculation({ draftTokens: 5, acceptLength: 2.7 }),
  })
  const wanted = new Map<string, number>()
  for (let i = 0, at = 0; i < 300; i++, at += between(0, 150)) {
    const request = ask(`r${i}`, between(1, 400), between(1, 200), `topic-${between(0, 6)}`)
    wanted.set(request.rid, request.maxNewTokens)
    engine.submit(request, at)
  }
  const { scheduler } = engine
  const outputs = runUntilIdle(engine, () => {
    const { usedTokens, availableTokens, evictableTokens } = scheduler.gauges()
    expect(usedTokens + availableTokens + evictableTokens).toBe(1000)
    expect(Math.min(usedTokens, availableTokens, evictableTokens)).toBeGreaterThanOrEqual(0)
  })
  expect(engine.scheduler.meters.retracted.requests).toBeGreaterThan(0)
  expect(scheduler.pool.evictedPages).toBeGreaterThan(0)
  expect(scheduler.gauges()).toMatchObject({ running: 0, queued: 0, usedTokens: 0 })
  const given = new Map<string, number>()
  for (const { request, tokens } of outputs) given.set(request.rid, (given.get(request.rid) ?? 0) + tokens)
  expect(given).toEqual(wanted)
})
