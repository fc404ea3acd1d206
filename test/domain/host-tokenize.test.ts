import { expect, test } from 'vitest'
import { hostTokenizeMs } from '../../src/domain/host-tokenize.ts'
import type { CellState } from '../../src/domain/run-state.ts'
import { trace } from './build.ts'
import { Desk } from './desk.ts'

/** Single streams of 8K, 16K and 32K whose cached prompts took so long to the first token, ms. */
function cells(...ttftMs: readonly number[]): readonly CellState[] {
  const contexts = [8192, 16_384, 32_768].slice(0, ttftMs.length)
  const desk = new Desk({ contexts, concurrency: [1], phases: 'decode' }).calibrate()
  for (const [index, ttft] of ttftMs.entries()) {
    desk.launch().open().wait(30_150).obey()
    const [writtenAt, promptTokens] = [desk.now - 40_000, (contexts[index] ?? 0) - 192]
    const times = { writtenAt, firstTokenAt: writtenAt + ttft, endedAt: desk.now }
    desk.closed(desk.now - 50, [trace({ purpose: 'launch', promptTokens, ...times })])
  }
  return desk.state.cells
}

const of = (all: readonly CellState[]) => [8192, 16_384, 32_768].map(context => hostTokenizeMs(context, all))

test('the host’s part is what the cached TTFT rises with the length of the prompt', () => {
  // 8000 tokens take 100 ms, 16,192 take 181.92 ms: 10 µs a token and 20 ms beside
  const [short, long, absent] = of(cells(100, 181.92))
  expect(short).toBeCloseTo(80, 6)
  expect(long).toBeCloseTo(161.92, 6)
  expect(absent).toBe(null)
})

test('more than two contexts are evened out by one line', () => {
  // around their mean, tokens -10922.67, -2730.67, 13653.33 and ms -100, 0, 100: 2,457,600 / 313,174,698.67 ms a token
  const [short] = of(cells(100, 200, 300))
  expect(short).toBeCloseTo(0.0078473772 * 8000, 3)
})

test('it is unknown with one context, or when longer prompts took no longer', () => {
  expect(of(cells(100))).toEqual([null, null, null])
  expect(of(cells(100, 100))).toEqual([null, null, null])
  expect(of(cells(100, 90))).toEqual([null, null, null])
})

test('cells that must not be compared, or have several streams, do not count', () => {
  const [first, second] = cells(100, 181.92)
  if (first === undefined || second === undefined) throw new Error('there are two cells')
  expect(hostTokenizeMs(8192, [first, { ...second, status: 'invalid' }])).toBe(null)
  const several: CellState = { ...second, plan: { ...second.plan, concurrency: 2 } }
  expect(hostTokenizeMs(8192, [first, several])).toBe(null)
})
