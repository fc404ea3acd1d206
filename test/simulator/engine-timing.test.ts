import { expect, test } from 'vitest'
import { TokenSource } from '../../src/simulator/engine/acceptance.ts'
import { decodeMs, prefillMs } from '../../src/simulator/engine/step-cost.ts'
import { seededRandom } from '../../src/simulator/random.ts'
import { ask, endings, plainEngine, runUntilIdle, speculation, tokenTimes, totalTokens } from './harness.ts'

test('the first token comes after tokenizer, host and prefill, the others one decode step apart', () => {
  const engine = plainEngine({ host: { tokenizerUs: 100, requestMs: 7 } })
  engine.submit(ask('a', 50, 4), 1000)
  // 50 tokens: 5 ms of tokenizer, 7 ms of host, 50 ms of prefill.
  expect(tokenTimes(runUntilIdle(engine), 'a')).toEqual([1062, 1072, 1082, 1092])
})

test('prompts are tokenized one after the other, while the fixed host cost of several overlaps', () => {
  const engine = plainEngine({ host: { tokenizerUs: 1000, requestMs: 1000 } })
  engine.submit(ask('a', 50, 1), 0)
  engine.submit(ask('b', 50, 1), 0)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'a')).toEqual([1100])
  expect(tokenTimes(outputs, 'b')).toEqual([1150])
})

test('a prefill runs alone: who is decoding waits for it', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 4), 0)
  engine.submit(ask('b', 80, 1), 65)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'b')).toEqual([150])
  expect(tokenTimes(outputs, 'a')).toEqual([50, 60, 70, 160])
})

test('a prompt longer than a chunk takes several steps, and no decode step comes between', () => {
  const engine = plainEngine()
  engine.submit(ask('a', 50, 3), 0)
  engine.submit(ask('b', 250, 1), 55)
  const outputs = runUntilIdle(engine)
  expect(tokenTimes(outputs, 'b')).toEqual([310])
  expect(tokenTimes(outputs, 'a')).toEqual([50, 60, 320])
})

test('short prompts share one prefill step, up to the chunk; what is left of a chunk starts the next prompt', () => {
  const engine = plainEngine()
  engine.submit(ask('first', 10, 1), 0)
  for (const rid of ['a', 'b', 'c']) engine.submit(ask(rid, 40, 1), 5)
  const outputs = runUntilIdle(engine)
  // 10 ms alone; then 40 + 40 + 20 of 100 tokens; then the last 20.
  expect(['a', 'b', 'c'].map(rid => tokenTimes(outputs, rid))).toEqual([[110], [110], [130]])
})

test('a decode step takes longer for more streams and for longer contexts', () => {
  const cost = { fixedMs: 5, streamMs: 2, streamExponent: 0.5, contextMs: 0.001 }
  expect(decodeMs(cost, 16, 3000)).toBe(16)
  const engine = plainEngine({ decode: cost })
  engine.submit(ask('a', 100, 2), 0)
  expect(tokenTimes(runUntilIdle(engine), 'a')).toEqual([100, 100 + 5 + 2 + 0.101])
})

test('prefill costs the same in chunks as at once, but for the cost of each batch', () => {
  const cost = { batchMs: 0, tokenMs: 0.5, pairMs: 0.001, residual: null }
  const chunks = [0, 100, 200].map(cachedTokens =>
    prefillMs(cost, [{ newTokens: 100, cachedTokens, promptTokens: 300 }]),
  )
  expect(chunks.reduce((a, b) => a + b)).toBeCloseTo(
    prefillMs(cost, [{ newTokens: 300, cachedTokens: 0, promptTokens: 300 }]),
  )
})

test('a late wake-up does the steps that are due, at their times, and skips no token', () => {
  const prompt = () => ask('a', 50, 20)
  const punctual = plainEngine()
  const late = plainEngine()
  punctual.submit(prompt(), 0)
  late.submit(prompt(), 0)
  expect(tokenTimes(late.advanceTo(10_000), 'a')).toEqual(tokenTimes(runUntilIdle(punctual), 'a'))
})

test('speculation gives several tokens a step, as many as the profile says, and never more than asked for', () => {
  const engine = plainEngine({ speculative: speculation({ draftTokens: 4, acceptLength: 1.875 }) })
  engine.submit(ask('a', 50, 5001), 0)
  const outputs = runUntilIdle(engine)
  const steps = outputs.slice(1).map(({ tokens }) => tokens)
  expect(totalTokens(outputs, 'a')).toBe(5001)
  expect(Math.max(...steps)).toBe(4)
  expect(5000 / steps.length).toBeCloseTo(1.875, 1)
})

test('without ignore_eos the model stops by itself after 50 to 800 tokens', () => {
  const engine = plainEngine()
  for (const rid of ['a', 'b', 'c']) engine.submit({ ...ask(rid, 10, 5000), ignoreEos: false }, 0)
  const outputs = runUntilIdle(engine)
  expect(endings(outputs).toSorted()).toEqual(['a stop', 'b stop', 'c stop'])
  const lengths = ['a', 'b', 'c'].map(rid => totalTokens(outputs, rid))
  expect(new Set(lengths).size).toBe(3)
  for (const length of lengths) expect(length).toSatisfy((tokens: number) => tokens >= 50 && tokens <= 800)
})

test('the same seed and the same requests give the same run, another seed another one', () => {
  const run = (seed: number) => {
    const speculative = speculation({ draftTokens: 8, acceptLength: 4 })
    const engine = plainEngine({ speculative, jitter: 0.05 }, seed)
    for (const rid of ['a', 'b', 'c']) engine.submit(ask(rid, 30, 200), 0)
    return runUntilIdle(engine).map(({ request, at, tokens }) => [request.rid, at, tokens])
  }
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
})

test('what one request is given does not depend on who else runs', () => {
  const tokensOf = (others: number) => {
    const engine = plainEngine({ speculative: speculation({ draftTokens: 8, acceptLength: 4 }) })
    engine.submit(ask('a', 30, 200), 0)
    for (let i = 0; i < others; i++) engine.submit(ask(`other-${i}`, 30, 200), 0)
    return runUntilIdle(engine).flatMap(({ request, tokens }) => (request.rid === 'a' ? [tokens] : []))
  }
  expect(tokensOf(3)).toEqual(tokensOf(0))
})

test('with a stream interval of 4, chunks come with the 1st, 5th, 9th… token and with the last', () => {
  const engine = plainEngine({ launch: { streamInterval: 4 } })
  engine.submit(ask('a', 50, 11), 0)
  const outputs = runUntilIdle(engine)
  expect(outputs.map(({ at, tokens }) => [at, tokens])).toEqual([
    [50, 1],
    [90, 4],
    [130, 4],
    [150, 2],
  ])
})

test('a request can ask for a stream interval of its own', () => {
  const engine = plainEngine()
  engine.submit({ ...ask('a', 50, 5), streamInterval: 2 }, 0)
  expect(runUntilIdle(engine).map(({ tokens }) => tokens)).toEqual([1, 2, 2])
})

test('speculation can step over the token that a chunk waits for, which makes the chunk longer', () => {
  const engine = plainEngine({
    launch: { streamInterval: 4 },
    speculative: speculation({ draftTokens: 3, acceptLength: 2.999_999 }),
  })
  engine.submit(ask('a', 50, 20), 0)
  // 1, then 4, 7, 10, 13 tokens: of these 13 is the first of the form 4n + 1.
  expect(runUntilIdle(engine).map(({ tokens }) => tokens)).toEqual([1, 12, 7])
})

test('a residual changes the tokens of a step by context and batch: on its points exactly, between them on log scales', () => {
  const residual = {
    rows: [100, 400],
    columns: [1, 4],
    values: [
      [1, 0.5],
      [0.8, 0.6],
    ],
  }
  const tokensPerStep = (promptTokens: number, batch: number) => {
    const speculative = { ...speculation({ draftTokens: 8, acceptLength: 4 }), residual }
    const source = new TokenSource(speculative, promptTokens, 0, seededRandom(1))
    return Array.from({ length: 4000 }, () => source.next(batch)).reduce((a, b) => a + b) / 4000
  }
  expect(tokensPerStep(100, 1)).toBeCloseTo(4, 1)
  expect(tokensPerStep(100, 4)).toBeCloseTo(2, 1)
  expect(tokensPerStep(400, 1)).toBeCloseTo(3.2, 1)
  expect(tokensPerStep(200, 2)).toBeCloseTo(4 * 0.725, 1)
  expect(tokensPerStep(50, 9)).toBeCloseTo(2, 1)
})

test('with a lag, two thirds of the streams of a large batch stay behind its mean, and the others make up for it', () => {
  const tokensPerStep = (serial: number, batch: number) => {
    const speculative = { ...speculation({ draftTokens: 8, acceptLength: 3 }), lag: 0.1 }
    const source = new TokenSource(speculative, 100, serial, seededRandom(serial))
    return Array.from({ length: 4000 }, () => source.next(batch)).reduce((a, b) => a + b) / 4000
  }
  const means = Array.from({ length: 99 }, (_, i) => tokensPerStep(i + 1, 8)).toSorted((a, b) => a - b)
  expect(means[49]).toBeCloseTo(2.7, 1)
  expect(Math.abs(means.filter(mean => mean > 3.4).length - 33)).toBeLessThanOrEqual(1)
  expect(means.reduce((a, b) => a + b) / 99).toBeCloseTo(3, 1)
  expect(tokensPerStep(0, 2)).toBeCloseTo(3, 1)
})
