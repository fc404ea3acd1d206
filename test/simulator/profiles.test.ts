import { expect, test } from 'vitest'
import { Engine } from '../../src/simulator/engine/engine.ts'
import { tokenize } from '../../src/simulator/engine/prompt.ts'
import type { Submission } from '../../src/simulator/engine/sim-request.ts'
import { qwen35a3bH200 as qwen } from '../../src/simulator/profiles/qwen3.5-35b-a3b-h200.ts'
import { profiles } from '../../src/simulator/profiles.ts'
import { runUntilIdle } from './harness.ts'

function ask(rid: string, tokens: number, maxNewTokens: number): Submission {
  const prompt = tokenize('some text '.repeat(tokens).slice(0, tokens * 4), qwen.limits.pageTokens)
  return { rid, prompt, maxNewTokens, ignoreEos: true, streaming: true }
}

test('every profile can be told from the others, and hides no page of its pool', () => {
  expect(new Set(profiles.map(({ name }) => name)).size).toBe(profiles.length)
  for (const { limits } of profiles) expect(limits.kvPoolTokens % limits.pageTokens).toBe(0)
})

// The published table that the profile is fitted to: context in K, milliseconds.
test.each([
  [16, 497],
  [32, 1110],
  [64, 2806],
  [128, 8143],
  [251, 25_174],
])('Qwen on H200: a cold prompt of %iK has its first token after %i ms, within 3 %%', (contextK, ttftMs) => {
  const engine = new Engine(qwen, 1)
  engine.submit(ask('cold', contextK * 1024, 1), 0)
  const [first] = runUntilIdle(engine)
  expect(Math.abs((first?.at ?? 0) / ttftMs - 1)).toBeLessThan(0.03)
})

// Context in K, concurrency, tokens per second of one stream while it decodes.
test.each([
  [8, 1, 363],
  [8, 4, 228.7],
  [8, 16, 133.7],
  [16, 32, 98],
  [32, 16, 113.9],
  [64, 8, 158.4],
  [128, 4, 179.3],
  [251, 2, 191.3],
])(
  'Qwen on H200: at %iK and %i streams, one stream decodes %f tok/s, within 10 %%',
  (contextK, streams, speed) => {
    const engine = new Engine(qwen, 1)
    for (let i = 0; i < streams; i++) engine.submit(ask(`r${i}`, contextK * 1024, 4096), 0)
    const finished = runUntilIdle(engine).flatMap(({ request, at, finish }) =>
      finish === null ? [] : [{ request, at }],
    )
    // Those of the first wave only: a later one meets the prefill of the others' successors.
    const rates = finished
      .slice(0, Math.min(streams, 28))
      .map(({ request, at }) => (4095 * 1000) / (at - (request.firstTokenAt ?? at)))
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    expect(mean / speed).toBeGreaterThan(0.9)
    expect(mean / speed).toBeLessThan(1.1)
  },
)
