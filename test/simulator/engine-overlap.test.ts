import { expect, test } from 'vitest'
import type { Output } from '../../src/simulator/engine/sim-request.ts'
import type { StepRecord } from '../../src/simulator/engine/step.ts'
import { ask, endings, plainEngine, runUntilIdle, speculation, tokenTimes, totalTokens } from './harness.ts'

const overlap = { launch: { overlap: true } }

/** Steps as «kind start–end requests». */
function line({ kind, startsAt, endsAt, requests }: StepRecord): string {
  return `${kind} ${startsAt}–${endsAt} ${requests.map(({ rid, tokens }) => `${rid}:${tokens}`).join(' ')}`
}

test('with overlap, who finishes in a step takes part in the next one, for nothing', () => {
  const steps: string[] = []
  const engine = plainEngine(overlap, 1, step => steps.push(line(step)))
  engine.submit(ask('a', 50, 3), 0)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'a')).toEqual([50, 60, 70])
  expect(steps).toEqual(['prefill 0–50 a:1', 'decode 50–60 a:1', 'decode 60–70 a:1', 'decode 70–80 a:0'])
})

test('with overlap, who comes in during a step is prefilled after the next one', () => {
  const steps: string[] = []
  const engine = plainEngine(overlap, 1, step => steps.push(line(step)))
  engine.submit(ask('a', 50, 5), 0)
  engine.submit(ask('b', 20, 1), 65)
  runUntilIdle(engine)
  expect(steps).toEqual([
    'prefill 0–50 a:1',
    'decode 50–60 a:1',
    'decode 60–70 a:1',
    // b is there, but this step was decided on before.
    'decode 70–80 a:1',
    'prefill 80–100 b:1',
    'decode 100–110 a:1 b:0',
    // Decided on at 100, when it was not known that a would end here.
    'decode 110–120 a:0',
  ])
})

test('with overlap, the place of a finished request is given away one step later', () => {
  const engine = plainEngine({ ...overlap, limits: { maxRunningRequests: 1 } })
  engine.submit(ask('a', 50, 2), 0)
  engine.submit(ask('b', 20, 1), 5)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'a')).toEqual([50, 60])
  // The step 60–70 still holds a.
  expect(tokenTimes(outputs, 'b')).toEqual([90])
})

test('with overlap, an abort lets the step under way finish, and the request sits through one more', () => {
  const engine = plainEngine(overlap)
  engine.submit(ask('a', 50, 1000), 0)
  engine.advanceTo(95)
  engine.abort('a', 95)
  expect(endings(engine.advanceTo(100))).toEqual(['a abort'])
  expect(engine.nextAt()).toBe(110)
  expect(engine.advanceTo(110)).toEqual([])
  expect(engine.nextAt()).toBeNull()
  expect(engine.scheduler.gauges()).toMatchObject({ running: 0, usedTokens: 0 })
})

test('with overlap, no token is lost and no KV leaks, whatever comes', () => {
  const engine = plainEngine({
    ...overlap,
    limits: { kvPoolTokens: 600, maxRunningRequests: 6 },
    speculative: speculation({ draftTokens: 4, acceptLength: 2 }),
  })
  for (let i = 0; i < 60; i++)
    engine.submit(ask(`r${i}`, 20 + ((i * 37) % 80), 60 + ((i * 53) % 150), `topic-${i % 4}`), i * 40)
  const outputs: Output[] = []
  for (let i = 0; i < 60; i += 9) {
    outputs.push(...engine.advanceTo(i * 90 + 300))
    engine.abort(`r${i}`, i * 90 + 300)
  }
  outputs.push(...runUntilIdle(engine))
  const completed = outputs.filter(({ finish }) => finish === 'length').map(({ request }) => request)
  for (const { rid, maxNewTokens, outputTokens } of completed)
    expect([rid, outputTokens]).toEqual([rid, maxNewTokens])
  expect(engine.scheduler.meters.retracted.requests).toBeGreaterThan(0)
  expect(engine.scheduler.gauges()).toMatchObject({ running: 0, queued: 0, usedTokens: 0 })
  expect(engine.flush()).toBe(true)
  expect(engine.scheduler.gauges()).toMatchObject({ availableTokens: 600 })
  expect(totalTokens(outputs, 'r2')).toBe(166)
})
