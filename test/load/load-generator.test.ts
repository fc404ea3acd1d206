import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { LoadTick } from '../../src/domain/load-record.ts'
import type { SingleRequest, StreamPlan } from '../../src/domain/step.ts'
import { LoadGenerator } from '../../src/load/load-generator.ts'
import type { LoadTarget } from '../../src/load/messages.ts'
import { targetAt } from '../support/load-target.ts'
import { Arrivals } from './arrivals.ts'
import { type HeldStream, sseServer } from './sse-server.ts'

function generatorAt(target: LoadTarget, workers: number): LoadGenerator {
  const load = new LoadGenerator({ target, prompts: { nonce: '0badcafe', seed: 1, text: null }, workers })
  onTestFinished(() => load.stopThreads())
  return load
}

const plans = (count: number): StreamPlan[] =>
  Array.from({ length: count }, (_, stream) => ({
    prompt: { stream, cold: null, chars: 600 },
    firstMaxTokens: stream + 1,
  }))

test('two threads share the streams and report as one', async () => {
  const server = await sseServer()
  const load = generatorAt(targetAt(server.origin), 2)
  const now = performance.now()
  load.openWindow({ from: now, to: now + 60_000, sliceMs: 120_000 })
  const ticks = new Arrivals<LoadTick>()
  await load.launch(plans(4), 8, tick => ticks.add(tick))
  const held: HeldStream[] = []
  while (held.length < 4) held.push(await server.streams.next())
  const threads = held.map(({ body: { rid, max_tokens } }) => `${rid?.slice(11, 14)}: ${max_tokens}`)
  expect(threads.sort()).toEqual(['000: 1', '000: 3', '001: 2', '001: 4'])

  for (const stream of held) stream.text('a', 25)
  let tick = await ticks.next()
  while (tick.started < 4) tick = await ticks.next()
  expect(tick).toMatchObject({ active: 4, waiting: 0 })
  expect(ticks.all.flatMap(({ ttftMs }) => ttftMs)).toHaveLength(4)
  expect(ticks.all.reduce((tokens, one) => tokens + one.tokens, 0)).toBe(100)
  // Each of them was sent one chunk, its text one letter.
  expect(await load.peek(5)).toBe('a')

  const { counts, cutOff } = await load.close()
  expect(counts).toMatchObject({ sliceTokens: [100], gaps: [], client: { workers: 2 } })
  const ended = [...ticks.all.flatMap(one => one.ended), ...cutOff].sort((a, b) => a.stream - b.stream)
  expect(ended.map(({ stream, outcome, window }) => [stream, outcome.kind, window?.tokens])).toEqual([
    [0, 'cut-off', 25],
    [1, 'cut-off', 25],
    [2, 'cut-off', 25],
    [3, 'cut-off', 25],
  ])
  await server.allClosed()
  expect(await load.peek(5)).toBeNull()
})

const warm = (stream: number): SingleRequest => ({
  purpose: 'warm',
  prompt: { stream, cold: null, chars: 600 },
  maxTokens: 1,
})

test('batches of single requests under way at the same time keep their answers apart', async () => {
  const { origin, streams } = await sseServer()
  const load = generatorAt(targetAt(origin), 1)
  const first = load.send([warm(0)], 1)
  const second = load.send([warm(1), warm(2)], 1)
  for (let request = 0; request < 3; request++) (await streams.next()).finish('length', 1)
  expect([(await first).length, (await second).length]).toEqual([1, 2])
})

test('a thread that dies makes what was asked of it fail', async () => {
  const load = generatorAt(targetAt('no address'), 1)
  await expect(load.launch(plans(1), 8, () => {})).rejects.toThrow()
  await expect(load.close()).rejects.toThrow()
})

test('threads that are stopped leave no question open', async () => {
  const server = await sseServer()
  const load = generatorAt(targetAt(server.origin), 1)
  const sent = load.send([warm(0)], 1)
  const failed = expect(sent).rejects.toThrow('load thread 0 ended')
  await server.streams.next()
  await load.stopThreads()
  await failed
  await server.allClosed()
})
