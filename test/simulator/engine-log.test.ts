import { expect, test } from 'vitest'
import { Engine } from '../../src/simulator/engine/engine.ts'
import { tokenize } from '../../src/simulator/engine/prompt.ts'
import type { StepRecord } from '../../src/simulator/engine/step.ts'
import { profiles } from '../../src/simulator/profiles.ts'

/** Steps of a run with queueing, restarts, shared prefixes and aborts. */
function steps(profile: (typeof profiles)[number], seed: number): StepRecord[] {
  const log: StepRecord[] = []
  const engine = new Engine(profile, seed, step => log.push(step))
  for (let i = 0; i < 40; i++) {
    const text = `topic ${i % 7} `.repeat(200 + 40 * (i % 11))
    engine.submit(
      {
        rid: `request-${String(i).padStart(2, '0')}`,
        prompt: tokenize(text, profile.limits.pageTokens),
        maxNewTokens: 20 + 9 * (i % 13),
        ignoreEos: i % 3 > 0,
        streaming: true,
      },
      i * 11,
    )
  }
  engine.advanceTo(400)
  engine.abort('request-05', 400)
  for (let at = engine.nextAt(); at !== null; at = engine.nextAt()) engine.advanceTo(at)
  return log
}

test.each(profiles)('$name: the same seed and the same calls give identical step logs', profile => {
  const log = steps(profile, 7)
  expect(log.length).toBeGreaterThan(40)
  expect(steps(profile, 7)).toEqual(log)
})

test.each(profiles.filter(({ jitter }) => jitter > 0))('$name: another seed gives another log', profile => {
  expect(steps(profile, 7)).not.toEqual(steps(profile, 8))
})
