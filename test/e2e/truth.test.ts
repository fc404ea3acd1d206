import { describe, expect, test } from 'vitest'
import { truthServer } from '../support/own-server.ts'
import { runAgainstTruth } from '../support/truth-run.ts'

const rate = 100
const decode = ['--skip-prefill', '--contexts', '1k', '--drain-timeout', '5s']

async function against(options: Record<string, unknown>, words: readonly string[]) {
  const server = await truthServer({ rate, isPrecise: true, ...options })
  return runAgainstTruth(server, [...decode, ...words])
}

// On a quiet machine, with windows of 10 s, all is within 0.1 %: `node test/bench/truth.ts`. Here a busy one must pass, too.
describe('a cell says what the server really sent while its window was open', () => {
  test.each([
    { steps: 'free', tokensPerChunk: 1, streams: '1,128' },
    { steps: 'free', tokensPerChunk: 8, streams: '32' },
    { steps: 'synchronised', tokensPerChunk: 4, streams: '32' },
  ])(
    '$steps steps, $tokensPerChunk tokens in a chunk, $streams streams',
    async ({ steps, tokensPerChunk, streams }) => {
      const words = ['--concurrency', streams, '--duration', '2s']
      const cells = await against({ steps, tokensPerChunk }, words)
      expect(cells).toHaveLength(streams.split(',').length)
      for (const { cell, sent } of cells) {
        // A step that is on its way at the edge of the window is on one side of it here and on the other there.
        const oneStep = cell.concurrency * tokensPerChunk
        expect(Math.abs((cell.outputTokens ?? 0) - sent.tokens)).toBeLessThan(0.003 * sent.tokens + oneStep)
        expect(Math.abs(((cell.itlMs?.p50 ?? 0) * rate) / 1000 - 1)).toBeLessThan(0.005)
        expect(Math.abs(((cell.stepsPerSecond ?? 0) * tokensPerChunk) / rate - 1)).toBeLessThan(0.03)
        expect(cell.tokensPerChunk).toBeCloseTo(tokensPerChunk, 1)
      }
    },
  )
})

test('a client that cannot keep up says so, and its cell is invalid', async () => {
  // 1.6 million chunks a second, 64 in each write: far more than one thread can read.
  const flood = { isPrecise: false, rate: 1600, chunksPerWrite: 64, kvTokens: 1e9 }
  const words = ['--concurrency', '1024', '--workers', '1', '--duration', '2s', '--ready-timeout', '5s']
  const [overloaded] = await against(flood, words)
  expect(overloaded?.cell.status).toBe('invalid')
  expect(overloaded?.cell.reasons.map(({ kind }) => kind)).toContain('client-limited')
})
