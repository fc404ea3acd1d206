import { expect, onTestFinished, test } from 'vitest'
import { readChatChunk } from '../../src/load/chat-chunk.ts'
import { TokenMeter } from '../../src/load/token-meter.ts'
import { WindowCounter } from '../../src/load/window-counter.ts'

/** A meter fed with chunks as servers write them; `observe` gives the tokens that the chunk added. */
function metered(window: { from: number; to: number } | null = null) {
  const meter = new TokenMeter()
  const counter = window === null ? null : new WindowCounter({ ...window, sliceMs: 100 }, 0)
  if (counter !== null && window !== null) onTestFinished(() => void counter.close(window.to))
  const observe = (at: number, delta: object | null, completionTokens?: number) => {
    const chunk = readChatChunk(
      JSON.stringify({
        choices: delta === null ? [] : [{ index: 0, delta, finish_reason: null }],
        usage:
          completionTokens === undefined ? null : { prompt_tokens: 17, completion_tokens: completionTokens },
      }),
    )
    if (chunk === null) throw new Error('not a chunk')
    return meter.observe(at, chunk, counter)
  }
  return { meter, observe, close: () => counter?.close(window?.to ?? 0) ?? null }
}

const role = { role: 'assistant', content: '' }
const text = { content: 'word' }
const none = { content: '' }

test('continuous usage counts by its increase, several tokens in a chunk included (SGLang)', () => {
  const { meter, observe } = metered()
  const added = [
    observe(10, role),
    observe(11, text, 3),
    observe(20, text, 4),
    observe(30, { reasoning_content: 'hm' }, 8),
    observe(30, {}),
    observe(31, null, 8),
  ]
  expect(added).toEqual([0, 3, 1, 4, 0, 0])
  expect(meter.result()).toMatchObject({
    counting: 'continuous-usage',
    outputTokens: 8,
    firstTokenAt: 11,
    lastTokenAt: 30,
    promptTokens: 17,
    cachedTokens: null,
  })
})

test('a role chunk that tells a usage of 0 is not a token (vLLM)', () => {
  const { meter, observe } = metered()
  expect([observe(10, role, 0), observe(25, text, 1), observe(30, text, 2)]).toEqual([0, 1, 1])
  expect(meter.result()).toMatchObject({ counting: 'continuous-usage', outputTokens: 2, firstTokenAt: 25 })
})

test('a token without text counts when the usage tells it, also as the first one', () => {
  const { meter, observe } = metered()
  expect([observe(10, none, 1), observe(20, text, 2), observe(30, none, 3)]).toEqual([1, 1, 1])
  expect(meter.result()).toMatchObject({ outputTokens: 3, firstTokenAt: 10, lastTokenAt: 30 })
})

test('a text without usage among continuous ones brings its tokens with the next usage', () => {
  const { meter, observe } = metered()
  expect([observe(10, text, 2), observe(20, { tool_calls: [{}] }), observe(30, text, 7)]).toEqual([2, 0, 5])
  expect(meter.result()).toMatchObject({ counting: 'continuous-usage', outputTokens: 7 })
})

test('the usage at the end adds what continuous usage had not told yet', () => {
  const { meter, observe } = metered()
  expect([observe(10, text, 2), observe(20, {}), observe(21, null, 5)]).toEqual([2, 0, 3])
  expect(meter.result().outputTokens).toBe(5)
})

test('a usage that falls adds nothing and is not counted twice when it rises again', () => {
  const { meter, observe } = metered()
  expect([observe(10, text, 5), observe(20, text, 3), observe(30, text, 6)]).toEqual([5, 0, 1])
  expect(meter.result().outputTokens).toBe(6)
})

test('the only token of a request without any text came with the usage at the end', () => {
  const { meter, observe } = metered()
  expect([observe(10, role), observe(20, {}), observe(21, null, 1)]).toEqual([0, 0, 1])
  expect(meter.result()).toMatchObject({ outputTokens: 1, firstTokenAt: 21 })
})

test('with usage at the end only, every chunk is worth the mean', () => {
  const { meter, observe, close } = metered({ from: 100, to: 300 })
  for (const at of [50, 110, 120, 210]) observe(at, text)
  expect(observe(211, null, 10)).toBe(0)
  expect(meter.result()).toMatchObject({
    counting: 'final-usage',
    outputTokens: 10,
    window: {
      firstAt: 110,
      lastAt: 210,
      chunks: 3,
      tokens: 7.5,
      firstChunkTokens: 2.5,
      longestGapMs: 90,
      tokensBefore: 2.5,
    },
  })
  expect(close()).toMatchObject({
    sliceTokens: [0, 0],
    sliceChunksUncounted: [2, 1],
    finalUsage: { tokens: 10, chunks: 4 },
  })
})

test('usage in the chunk with the finish reason is usage at the end, too', () => {
  const { meter, observe, close } = metered({ from: 0, to: 100 })
  expect([observe(10, text), observe(20, text), observe(21, {}, 6)]).toEqual([1, 1, 0])
  expect(meter.result()).toMatchObject({ counting: 'final-usage', outputTokens: 6, window: { tokens: 6 } })
  expect(close()).toMatchObject({ sliceTokens: [0], sliceChunksUncounted: [2] })
})

test('usage that is told twice at the end scales once', () => {
  const { meter, observe, close } = metered({ from: 0, to: 100 })
  for (const at of [10, 20]) observe(at, text)
  observe(21, null, 6)
  observe(22, null, 6)
  expect(meter.result()).toMatchObject({ outputTokens: 6, window: { tokens: 6, chunks: 2 } })
  expect(close()?.finalUsage).toEqual({ tokens: 6, chunks: 2 })
})

test('usage that begins in mid-stream stands for the chunks before it, and is marked as an estimate', () => {
  const { meter, observe, close } = metered({ from: 0, to: 100 })
  const added = [observe(10, text), observe(20, text), observe(30, text, 9), observe(40, text, 12)]
  expect(added).toEqual([1, 1, 1, 3])
  expect(meter.result()).toMatchObject({
    counting: 'final-usage',
    outputTokens: 12,
    window: { chunks: 4, tokens: 12, firstChunkTokens: 3 },
  })
  // 3 chunks at 9 / 3 tokens, and 3 counted: 12 again.
  expect(close()).toMatchObject({
    sliceTokens: [3],
    sliceChunksUncounted: [3],
    finalUsage: { tokens: 9, chunks: 3 },
  })
})

test.each([
  ['never', undefined],
  ['as 0', 0],
])('where usage is told %s, each chunk with output counts as one token', (_, told) => {
  const { meter, observe, close } = metered({ from: 0, to: 100 })
  expect([observe(9, role), observe(10, text, told), observe(20, none), observe(30, text, told)]).toEqual([
    0, 1, 0, 1,
  ])
  observe(31, null, told)
  expect(meter.result()).toMatchObject({ counting: 'chunks', outputTokens: 2, lastTokenAt: 30 })
  expect(close()).toMatchObject({ sliceChunksUncounted: [2], finalUsage: { tokens: 0, chunks: 0 } })
})

test('its share of the window holds the tokens inside, those of the first chunk, and those before', () => {
  const { meter, observe, close } = metered({ from: 100, to: 300 })
  observe(50, text, 4)
  observe(99, text, 6)
  observe(100, text, 9)
  observe(299, text, 14)
  observe(300, text, 20)
  expect(meter.result()).toMatchObject({
    outputTokens: 20,
    window: {
      firstAt: 100,
      lastAt: 299,
      chunks: 2,
      tokens: 8,
      firstChunkTokens: 3,
      longestGapMs: 199,
      tokensBefore: 6,
    },
  })
  expect(close()?.sliceTokens).toEqual([3, 5])
})

test('a gap counts only when both its chunks are inside the window', () => {
  const { observe, close } = metered({ from: 100, to: 200 })
  for (const [index, at] of [90, 105, 106, 108, 205].entries()) observe(at, text, index + 1)
  expect(close()?.gaps).toEqual([
    [1000, 1],
    [2000, 1],
  ])
})

test('a request without a token in the window has no share of it', () => {
  const { meter, observe } = metered({ from: 100, to: 200 })
  observe(50, text, 1)
  observe(250, text, 2)
  expect(meter.result().window).toBeNull()
})
