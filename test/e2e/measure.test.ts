import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import { truthServer } from '../support/own-server.ts'
import { tokgrid } from '../support/process.ts'
import { testFolder } from '../support/test-folder.ts'

const file = join(testFolder(), 'out.json')

const result = () => readResultFile(file)

const decode = ['--headless', '--skip-prefill', '--contexts', '1k']

describe('against a server of 100 tok/s for each stream', () => {
  test('C = 1, 32 and 128 give total and ITL within 1 % of the truth, and nothing is left on the server', async () => {
    const server = await truthServer({ rate: 100 })
    const { code } = await tokgrid([
      'run',
      server.url,
      ...decode,
      '--concurrency',
      '1,32,128',
      '--duration',
      '4s',
      '-o',
      file,
    ])
    expect(code).toBe(0)
    for (const { concurrency, totalTokensPerSecond, itlMs, stepsPerSecond, requests } of result().decode) {
      expect(Math.abs((totalTokensPerSecond?.mean ?? 0) / (100 * concurrency) - 1)).toBeLessThan(0.01)
      expect(Math.abs((itlMs?.p50 ?? 0) / 10 - 1)).toBeLessThan(0.01)
      // A timer may fire a millisecond late; the median step is not the mean.
      expect(Math.abs((stepsPerSecond ?? 0) / 100 - 1)).toBeLessThan(0.05)
      expect(requests?.failed).toBe(0)
    }
    expect(await server.truth()).toMatchObject({ running: 0, waiting: 0, mostRunning: 128 })
  })

  test('eight tokens in a chunk count as eight', async () => {
    const server = await truthServer({ rate: 100, tokensPerChunk: 8 })
    await tokgrid(['run', server.url, ...decode, '--concurrency', '8', '--duration', '4s', '-o', file])
    const [cell] = result().decode
    expect(Math.abs((cell?.totalTokensPerSecond?.mean ?? 0) / 800 - 1)).toBeLessThan(0.02)
    expect(cell?.tokensPerChunk).toBeCloseTo(8, 1)
    expect(Math.abs((cell?.itlMs?.p50 ?? 0) / 10 - 1)).toBeLessThan(0.01)
  })

  test('usage only at the end is scaled and marked', async () => {
    const server = await truthServer({ rate: 100, tokensPerChunk: 4, usage: 'final' })
    const words = ['--concurrency', '8', '--duration', '3s', '--max-tokens', '100']
    await tokgrid(['run', server.url, ...decode, ...words, '-o', file])
    const [cell] = result().decode
    expect(Math.abs((cell?.totalTokensPerSecond?.mean ?? 0) / 800 - 1)).toBeLessThan(0.08)
    expect(cell?.reasons).toContainEqual({ kind: 'tokens-estimated', counting: 'final-usage' })
  })

  test('a server that decodes on after a disconnect holds nothing afterwards', async () => {
    const server = await truthServer({ rate: 100, zombies: true })
    const { code } = await tokgrid([
      'run',
      server.url,
      ...decode,
      '--concurrency',
      '1,4',
      '--duration',
      '1s',
      '-o',
      file,
    ])
    expect(code).toBe(0)
    expect(result().decode.map(cell => cell.server?.running.max)).toEqual([1, 4])
    expect(await server.truth()).toMatchObject({ running: 0, waiting: 0 })
  })

  test('more streams than it runs at once are queued, and say so', async () => {
    const server = await truthServer({ rate: 100, maxRunning: 2, dialect: 'sglang' })
    const words = [
      '--concurrency',
      '4',
      '--duration',
      '1s',
      '--max-tokens',
      '100',
      '--ready-timeout',
      '2s',
      '--force',
    ]
    const { code } = await tokgrid(['run', server.url, ...decode, ...words, '-o', file])
    const [cell] = result().decode
    expect(code).toBe(0)
    expect(cell?.status).toBe('requests-queued')
    expect(cell?.reasons).toContainEqual(
      expect.objectContaining({ kind: 'requests-queued', queuedShare: 1, wanted: 4 }),
    )
  })

  test('somebody else’s requests make a cell invalid, with the numbers', async () => {
    const server = await truthServer({ rate: 100, dialect: 'sglang' })
    const others = new AbortController()
    const body = JSON.stringify({ rid: 'other', max_tokens: 100_000, messages: [{ content: 'x' }] })
    for (let stream = 0; stream < 3; stream++)
      await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, signal: others.signal })
    const words = ['--concurrency', '2', '--duration', '3s', '--drain-timeout', '1s']
    const { code, stderr } = await tokgrid(['run', server.url, ...decode, ...words, '-o', file])
    others.abort()
    expect(code).toBe(3)
    const [cell] = result().decode
    expect(cell?.status).toBe('invalid')
    expect(cell?.reasons).toContainEqual({ kind: 'foreign-load', detail: 'not-drained', running: 3 })
    expect(cell?.reasons).toContainEqual(
      expect.objectContaining({ kind: 'foreign-load', detail: 'in-window', running: 5, ours: 2 }),
    )
    expect(stderr).toContain('requests of someone else ran during the window: server 5.0 running, ours 2.0')
    // Ours count without theirs all the same.
    expect(cell?.totalTokensPerSecond?.mean).toBeCloseTo(200, -1)
  })

  test('a server without metrics and abort is measured, and what it does not tell is unknown', async () => {
    const server = await truthServer({ rate: 100, dialect: 'openai' })
    const { code } = await tokgrid([
      'run',
      server.url,
      ...decode,
      '--concurrency',
      '2',
      '--duration',
      '1s',
      '-o',
      file,
    ])
    const [cell] = result().decode
    expect(code).toBe(0)
    expect(cell?.status).toBe('valid')
    expect(cell?.server).toMatchObject({
      running: { mean: null },
      queued: { share: null },
      retractions: null,
    })
    expect(await server.truth()).toMatchObject({ running: 0 })
  })
})
