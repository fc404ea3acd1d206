import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { simulatedServer } from '../support/own-server.ts'
import { startTokgrid, tokgrid } from '../support/process.ts'
import { Terminal } from '../support/terminal.ts'
import { testFolder } from '../support/test-folder.ts'

const patience = 30_000
const shot = z.looseObject({
  time: z.string(),
  reachable: z.boolean(),
  running: z.number().nullable(),
  queued: z.number().nullable(),
  tokensPerSecond: z.number().nullable(),
})
const loads = z.looseObject({
  loads: z.array(z.looseObject({ num_running_reqs: z.number(), num_waiting_reqs: z.number() })),
})

const folder = testFolder()

/** Another tokgrid that keeps `streams` requests on the server. */
function load(url: string, streams: number): void {
  const words = `run ${url} --headless --force --skip-prefill --contexts 1k --concurrency ${streams}`
  const more = ['--duration', '60s', '--max-tokens', '400', '-o', join(folder, 'result.json')]
  const { child } = startTokgrid([...words.split(' '), ...more])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
}

/** What the server itself says it runs and has queued, with the time at which it said so. */
class Truth {
  readonly readings: { readonly at: number; readonly running: number; readonly queued: number }[] = []
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async look(): Promise<{ running: number; queued: number }> {
    const [rank] = loads.parse(await (await fetch(`${this.url}/v1/loads`)).json()).loads
    const reading = { running: rank?.num_running_reqs ?? 0, queued: rank?.num_waiting_reqs ?? 0 }
    this.readings.push({ at: Date.now(), ...reading })
    return reading
  }

  async until(isWanted: (reading: { running: number; queued: number }) => boolean): Promise<void> {
    const deadline = Date.now() + patience
    while (!isWanted(await this.look())) {
      if (Date.now() > deadline) throw new Error('the load did not come')
      await wait(50)
    }
  }

  /** Readings that were taken within so many milliseconds of a time. */
  near(time: string, ms: number) {
    return this.readings
      .filter(({ at }) => Math.abs(at - Date.parse(time)) <= ms)
      .map(({ running, queued }) => ({ running, queued }))
  }
}

test('under load from another tokgrid it shows the running and queued requests that the server really has', async () => {
  const { url } = await simulatedServer('--profile', 'small')
  const truth = new Truth(url)
  load(url, 12)
  // The server runs at most 8.
  await truth.until(({ running, queued }) => running === 8 && queued >= 3)
  for (let round = 0; round < 3; round++) {
    const watch = tokgrid(['watch', url, '--once', '--json'])
    const looking = new AbortController()
    const looks = (async () => {
      while (!looking.signal.aborted) {
        await truth.look()
        await wait(10)
      }
    })()
    const { code, stdout } = await watch
    looking.abort()
    await looks
    expect(code).toBe(0)
    const { time, running, queued, tokensPerSecond } = shot.parse(JSON.parse(stdout))
    expect(truth.near(time, 100)).toContainEqual({ running, queued })
    expect(running).toBeGreaterThan(5)
    expect(tokensPerSecond).toBeGreaterThan(100)
  }
})

test('a server that cannot be reached is said, with exit code 5, beside one that can', async () => {
  const { url } = await simulatedServer('--profile', 'fast')
  const { code, stdout } = await tokgrid(['watch', url, 'http://127.0.0.1:1', '--once', '--format', 'json'])
  expect(code).toBe(5)
  const shots = stdout
    .trim()
    .split('\n')
    .map(line => shot.parse(JSON.parse(line)))
  expect(shots.map(({ reachable, running }) => [reachable, running])).toEqual([
    [true, 0],
    [false, null],
  ])
  const text = await tokgrid(['watch', 'http://127.0.0.1:1', '--once'])
  expect(text).toMatchObject({ code: 5, stdout: expect.stringContaining('connection refused') })
})

test('without a terminal it writes a line for each look, until a signal', async () => {
  const { url } = await simulatedServer('--profile', 'fast')
  const { child, finished } = startTokgrid(['watch', url])
  let lines = 0
  child.stdout.on('data', text => {
    lines += String(text).split('\n').length - 1
  })
  while (lines < 2) await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await finished
  expect(code).toBe(143)
  expect(stdout.split('\n')[0]).toMatch(
    /^\d\d:\d\d:\d\d http:\S+ running 0 queued 0 KV 0% generated – tok\/s/,
  )
  expect(stderr).toBe('')
})

test('bad words get one line and exit code 2', async () => {
  const { code, stderr } = await tokgrid(['watch', 'http://127.0.0.1:1', '--format', 'xml'])
  expect(code).toBe(2)
  expect(stderr).toBe('tokgrid: --format: is text or json\n')
})

test('on a terminal it is a screen that survives a server that dies, and gives the terminal back', async () => {
  const server = await simulatedServer('--profile', 'fast')
  const terminal = new Terminal(process.execPath, ['bin/tokgrid.js', 'watch', server.url], {
    columns: 100,
    rows: 30,
  })
  onTestFinished(() => terminal.close())
  await terminal.waitFor(({ text }) => /running 0/.test(text), patience)
  expect(terminal.isAlternate).toBe(true)
  terminal.type('?')
  await terminal.waitFor(({ text }) => text.includes('any key closes'), patience)
  terminal.type('x')
  server.stop()
  await terminal.waitFor(({ text }) => text.includes('looking for it again'), patience)
  const { port } = new URL(server.url)
  await simulatedServer('--profile', 'fast', '--port', port)
  await terminal.waitFor(({ text }) => !text.includes('looking for it again'), patience)
  terminal.resize(80, 24)
  await terminal.waitFor(({ lines }) => lines[22]?.startsWith('q quit') === true, patience)
  terminal.type('q')
  expect(await terminal.exited).toBe(0)
  await terminal.quiet(100)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
})
