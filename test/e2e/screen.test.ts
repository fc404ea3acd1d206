import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Terminal } from '../support/terminal.ts'

const patience = 30_000
const quick = ['--contexts', '8k', '--concurrency', '1,2,4', '--duration', '1s', '--skip-prefill']
const figure = /^ *8K +\d/m

let directory: string
let terminal: Terminal

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tokgrid-screen-'))
})

afterEach(() => {
  terminal.close()
  rmSync(directory, { recursive: true })
})

function demo(columns: number, rows: number, args: readonly string[] = quick): Terminal {
  const command = ['bin/tokgrid.js', 'demo', '-o', join(directory, 'result.json'), ...args]
  terminal = new Terminal(process.execPath, command, { columns, rows })
  return terminal
}

async function expectRestored(): Promise<void> {
  await terminal.quiet(100)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
  const text = terminal.scrollback.join('\n')
  expect(text).toMatch(/tokgrid: .* on sglang/)
  expect(text.trimEnd()).toMatch(/result\.json$/)
}

describe.each([
  [80, 24],
  [120, 36],
  [200, 50],
])('at %ix%i', (columns, rows) => {
  test('the grid fills with figures, q q stops, and the terminal is as it was', async () => {
    demo(columns, rows)
    await terminal.waitFor(({ text }) => figure.test(text), patience)
    expect(terminal.isAlternate).toBe(true)
    expect(terminal.isCursorVisible).toBe(false)
    terminal.type('q')
    await terminal.waitFor(({ text }) => text.includes('Stop the run?'), patience)
    terminal.type('q')
    expect(await terminal.exited).toBe(130)
    await expectRestored()
  })
})

test('a run that comes to its end leaves the screen by itself', async () => {
  demo(80, 24)
  expect(await terminal.exited).toBe(0)
  await expectRestored()
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s stops the run and restores the terminal', async (signal, code) => {
  demo(80, 24, ['--contexts', '8k', '--concurrency', '1', '--duration', '60s', '--skip-prefill'])
  await terminal.waitFor(({ text }) => text.includes('measuring'), patience)
  terminal.signal(signal)
  expect(await terminal.exited).toBe(code)
  await expectRestored()
})

test('Ctrl-C on the screen is the same as SIGINT', async () => {
  demo(80, 24, ['--contexts', '8k', '--concurrency', '1', '--duration', '60s', '--skip-prefill'])
  await terminal.waitFor(({ text }) => text.includes('measuring'), patience)
  terminal.type('\u0003')
  expect(await terminal.exited).toBe(130)
  await expectRestored()
})

test('a new size is drawn while the run goes on', async () => {
  demo(120, 36, ['--contexts', '8k', '--concurrency', '1', '--duration', '60s', '--skip-prefill'])
  await terminal.waitFor(({ text }) => text.includes('measuring'), patience)
  terminal.resize(80, 24)
  await terminal.waitFor(({ lines }) => lines[22]?.startsWith('q stop') === true, patience)
  terminal.resize(50, 12)
  await terminal.waitFor(({ text }) => text.trim().split('\n').length === 1, patience)
})
