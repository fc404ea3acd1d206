import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import { readResult } from '../../src/result/read-result.ts'
import { truthServer } from '../support/own-server.ts'
import { startTokgrid, tokgrid } from '../support/process.ts'
import { testFolder } from '../support/test-folder.ts'

const folder = testFolder()
const file = join(folder, 'out.json')

const result = () => readResultFile(file)

const decode = ['--headless', '--skip-prefill', '--contexts', '1k']

test('the demo writes a result that its schema accepts, with valid cells, and ends with 0', async () => {
  const words = '--contexts 8k --concurrency 1,4 --duration 2s --skip-prefill'.split(' ')
  const { code, stdout, stderr } = await tokgrid(['demo', '--headless', '-o', file, ...words])
  expect(code).toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('cell 8K × 4: ')
  const { decode: cells, run } = result()
  expect(cells.map(({ concurrency, status }) => [concurrency, status])).toEqual([
    [1, 'valid'],
    [4, 'valid'],
  ])
  expect(run.ending).toBe('completed')
})

describe('what does not fit', () => {
  const tooMuch = ['--skip-prefill', '--contexts', '8k', '--concurrency', '1,8', '--duration', '1s']

  test('is not run, and names the limit', async () => {
    const server = await truthServer({ kvTokens: 80_000 })
    const { code } = await tokgrid(['run', server.url, ...tooMuch, '--headless', '-o', file])
    expect(code).toBe(0)
    const [, cell] = result().decode
    expect(cell?.status).toBe('over-capacity')
    expect(cell?.limit).toEqual({ kind: 'kv-cache', needed: 8 * (8192 + 4096 + 1), available: 80_000 })
    expect(await server.truth()).toMatchObject({ mostRunning: 1 })
  })

  test('is judged the same by a dry run, which sends nothing', async () => {
    const server = await truthServer({ kvTokens: 80_000 })
    const { code, stdout } = await tokgrid(['run', server.url, ...tooMuch, '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/8K +ok +KV/)
    expect(stdout).toContain('8K × 8 needs 98,312, the server has 80,000')
    expect(await server.truth()).toMatchObject({ requests: 0 })
  })
})

describe('an end before the end', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s keeps what was measured, marks it, and ends every request on the server',
    async (signal, code) => {
      const server = await truthServer({ rate: 100, zombies: true })
      const words = ['--concurrency', '1,4,8', '--duration', '2s', '-o', file]
      const { child, finished } = startTokgrid(['run', server.url, ...decode, ...words])
      await expect
        .poll(() => existsSync(file) && result().decode[0]?.status, { timeout: 20_000 })
        .toBe('valid')
      // In the second cell, with four streams running.
      await expect.poll(async () => (await server.truth()).running, { timeout: 20_000 }).toBe(4)
      child.kill(signal)
      expect((await finished).code).toBe(code)
      const { run, decode: cells } = result()
      expect(run.ending).toBe('stopped')
      expect(cells.map(({ status }) => status)).toEqual(['valid', 'not-run', 'not-run'])
      expect(await server.truth()).toMatchObject({ running: 0, waiting: 0 })
    },
  )

  test('a server that dies ends the run with what was measured', async () => {
    const server = await truthServer({ rate: 100 })
    const words = ['--concurrency', '1,2,4,8,16', '--duration', '1s', '-o', file]
    const { finished } = startTokgrid(['run', server.url, ...decode, ...words])
    await expect.poll(() => existsSync(file) && result().decode[0]?.status, { timeout: 20_000 }).toBe('valid')
    server.stop()
    const { code, stderr } = await finished
    expect(code).toBe(5)
    expect(stderr).toContain('could not connect')
    const { run, decode: cells } = result()
    expect(run.ending).toBe('aborted')
    expect(cells[0]?.status).toBe('valid')
    expect(cells.at(-1)?.status).toBe('not-run')
  })
})

describe('outputs', () => {
  test('-o - puts the result, and nothing else, on stdout; --events tells the run as lines of JSON', async () => {
    const events = join(folder, 'events.ndjson')
    const server = await truthServer({})
    const words = ['--concurrency', '1', '--duration', '1s', '-o', '-', '--events', events]
    const { code, stdout } = await tokgrid(['run', server.url, ...decode, ...words])
    expect(code).toBe(0)
    expect(readResult(stdout, 'stdout').decode[0]?.status).toBe('valid')
    const kinds = readFileSync(events, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).kind)
    expect(kinds.slice(0, 3)).toEqual(['run-started', 'server-connected', 'matrix-planned'])
    expect(kinds.at(-1)).toBe('run-ended')
  })

  test('a file that is there is kept as .bak', async () => {
    writeFileSync(file, 'precious')
    const server = await truthServer({})
    await tokgrid(['run', server.url, ...decode, '--concurrency', '1', '--duration', '1s', '-o', file])
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe('precious')
    expect(result().run.ending).toBe('completed')
  })

  test('no secret reaches a file, an event or the screen', async () => {
    const events = join(folder, 'events.ndjson')
    const server = await truthServer({})
    const secret = 'sk-do-not-tell'
    const words = [
      '--api-key',
      secret,
      '--header',
      `X-Team: ${secret}`,
      '--concurrency',
      '1',
      '--duration',
      '1s',
    ]
    const { stdout, stderr } = await tokgrid([
      'run',
      server.url,
      ...decode,
      ...words,
      '-o',
      file,
      '--events',
      events,
    ])
    const all = [stdout, stderr, readFileSync(file, 'utf8'), readFileSync(events, 'utf8')].join()
    expect(all).not.toContain(secret)
    expect(result().run.command).toContain('--api-key <redacted> --header <redacted>')
  })
})

describe('mistakes get one line, and the exit code says whose they are', () => {
  test.each([
    [['--contexts', '8x'], '--contexts: "8x" is not a list of context lengths (try 8k,16k)'],
    [['--concurrency', '0'], '--concurrency: "0" is not a list of stream counts (try 1,2,4)'],
    [['--duration', 'soon'], '--duration: "soon" is not a duration'],
    [['--extra-body', '[1]'], '--extra-body: is not a JSON object'],
    [['--header', 'no colon'], '--header: a header is "Name: value"'],
    [['--slo', 'speed=1s'], '--slo: "speed=1s" is not a limit'],
    [['--no-such-flag'], "unknown option '--no-such-flag'"],
    [['--skip-prefill', '--prefill-only'], 'leave nothing to measure'],
    [['-o', '-', '--events', '-'], 'would mix on stdout'],
    [['--api-key-file', '/no/such/file'], '--api-key-file: /no/such/file cannot be read'],
    [['http://127.0.0.1:1', '--port', '2'], 'say the same thing twice'],
    [['watsh'], '"watsh" is neither a command nor a url'],
  ])('%s: usage', async (words, message) => {
    const { code, stderr } = await tokgrid(words)
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })

  test('a result that cannot be written is a mistake before the run, not after', async () => {
    const server = await truthServer({})
    const { code, stderr } = await tokgrid([
      'run',
      server.url,
      ...decode,
      '-o',
      join(folder, 'no', 'such', 'folder.json'),
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('cannot be written')
    expect(await server.truth()).toMatchObject({ requests: 0 })
  })

  test('no server, or a refused request, is 5', async () => {
    const nobody = await tokgrid(['run', 'http://127.0.0.1:9', '--headless'])
    expect(nobody.code).toBe(5)
    expect(nobody.stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a server that refuses every generation ends the run and says why', async () => {
    const server = await truthServer({ failWith: 500 })
    const { code, stderr } = await tokgrid(['run', server.url, ...decode, '--concurrency', '1', '-o', file])
    expect(code).toBe(1)
    expect(stderr).toContain('HTTP 500: no')
    expect(result().decode[0]?.status).toBe('not-run')
  })
})
