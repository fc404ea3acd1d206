import { expect, test } from 'vitest'
import type { StepRecord } from '../../src/simulator/engine/step.ts'
import type { Launch } from '../../src/simulator/profile.ts'
import { ask, endings, plainEngine, runUntilIdle, tokenTimes } from './harness.ts'

function ranks(
  dataParallel: number,
  loadBalance: Launch['loadBalance'] = 'round-robin',
  steps: StepRecord[] = [],
) {
  return plainEngine({ launch: { dataParallel, loadBalance } }, 1, step => steps.push(step))
}

test('ranks work side by side: two prompts sent to two of them are prefilled at the same time', () => {
  const engine = ranks(2)
  engine.submit(ask('a', 50, 2), 0)
  engine.submit(ask('b', 80, 2), 0)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'a')).toEqual([50, 60])
  expect(tokenTimes(outputs, 'b')).toEqual([80, 90])
  expect(outputs.map(({ at }) => at)).toEqual([50, 60, 80, 90])
})

test('requests go round the ranks in turn, but to the rank that they name', () => {
  const engine = ranks(3)
  const requests = [
    engine.submit(ask('a', 50, 2), 0),
    engine.submit({ ...ask('pinned', 50, 2), dpRank: 2 }, 0),
    engine.submit(ask('b', 50, 2), 0),
    engine.submit(ask('c', 50, 2), 0),
    engine.submit(ask('d', 50, 2), 0),
  ]
  runUntilIdle(engine)
  expect(requests.map(({ rank }) => rank)).toEqual([0, 2, 1, 2, 0])
  expect(() => engine.submit({ ...ask('e', 50, 2), dpRank: 3 }, 0)).toThrow(RangeError)
})

test('the least loaded rank is the one with the fewest requests waiting or running', () => {
  const engine = ranks(2, 'least-loaded')
  const requests = [
    engine.submit(ask('long', 50, 100), 0),
    engine.submit(ask('short', 50, 2), 0),
    engine.submit(ask('next', 50, 2), 200),
    engine.submit(ask('last', 50, 2), 201),
  ]
  runUntilIdle(engine)
  expect(requests.map(({ rank }) => rank)).toEqual([0, 1, 1, 0])
})

test('each rank has a pool and a prefix cache of its own', () => {
  const engine = ranks(2)
  engine.submit({ ...ask('a', 100, 1, 'topic'), dpRank: 0 }, 0)
  engine.submit({ ...ask('b', 100, 1, 'topic'), dpRank: 1 }, 1000)
  engine.submit({ ...ask('c', 100, 1, 'topic'), dpRank: 0 }, 2000)
  const outputs = runUntilIdle(engine)
  expect(outputs.map(({ request }) => request.cachedTokens)).toEqual([0, 0, 90])
  expect(engine.ranks.map(({ meters }) => meters.realtime.prefillCompute)).toEqual([110, 100])
  expect(engine.ranks.map(rank => rank.gauges().evictableTokens)).toEqual([100, 100])
})

test('the cache is flushed only when every rank is idle', () => {
  const engine = ranks(2)
  engine.submit({ ...ask('a', 50, 1), dpRank: 0 }, 0)
  engine.submit({ ...ask('b', 50, 20), dpRank: 1 }, 0)
  engine.advanceTo(100)
  expect(engine.ranks.map(({ step }) => step === null)).toEqual([true, false])
  expect(engine.flush()).toBe(false)
  expect(engine.ranks.map(rank => rank.gauges().evictableTokens)).toEqual([50, 0])
  runUntilIdle(engine)
  expect(engine.flush()).toBe(true)
  expect(engine.ranks.map(rank => rank.gauges().evictableTokens)).toEqual([0, 0])
})

test('an abort by prefix reaches all ranks', () => {
  const engine = ranks(2)
  for (const rid of ['a-1', 'a-2', 'b-1']) engine.submit(ask(rid, 10, 20), 0)
  engine.advanceTo(50)
  engine.abort('a-', 50)
  expect(endings(runUntilIdle(engine)).toSorted()).toEqual(['a-1 abort', 'a-2 abort', 'b-1 length'])
})

test('the same seed gives the same steps on all ranks', () => {
  const run = () => {
    const steps: StepRecord[] = []
    const engine = ranks(3, 'least-loaded', steps)
    for (let i = 0; i < 20; i++) engine.submit(ask(`r${i}`, 30 + i, 40), i * 13)
    runUntilIdle(engine)
    return steps
  }
  expect(run()).toEqual(run())
  expect(new Set(run().map(({ rank }) => rank))).toEqual(new Set([0, 1, 2]))
})
