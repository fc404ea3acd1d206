import { expect, test } from 'vitest'
import { mayBeEvicted } from '../../src/domain/eviction.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { server, trace } from './build.ts'
import { Desk, decode } from './desk.ts'

const limits = (kvCacheTokens: number | null, dataParallelRanks = 1) =>
  server({ loads: true }, { ...unknownLimits, kvCacheTokens, dataParallelRanks })

/** One prompt of 8192 was warmed, and its answer was 1000 tokens long. */
function measured(facts = limits(1_000_000)) {
  const desk = new Desk({ ...decode(1), force: true }, facts).calibrate().launch().open()
  desk.wait(30_150).obey()
  desk.closed(desk.state.job?.window?.to, [trace({ purpose: 'launch', outputTokens: 1000 })])
  return desk.state
}

test('prompts may be evicted once prompts and answers are more than the KV cache of all ranks holds', () => {
  expect(mayBeEvicted(measured(limits(9192)))).toBe(false)
  expect(mayBeEvicted(measured(limits(9191)))).toBe(true)
  expect(mayBeEvicted(measured(limits(9191, 2)))).toBe(false)
})

test('cold prompts take their place, too', () => {
  const desk = new Desk({ contexts: [8192], concurrency: [1], force: true }, limits(16_383)).calibrate()
  expect(mayBeEvicted(desk.state)).toBe(false)
  // two samples
  expect(mayBeEvicted(desk.prefill().state)).toBe(true)
})

test('of a cache of unknown size nothing is assumed', () => {
  expect(mayBeEvicted(measured(limits(null)))).toBe(false)
})
