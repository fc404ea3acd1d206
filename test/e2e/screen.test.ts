import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Terminal } from '../support/terminal.ts'
import { testFolder } from '../support/test-folder.ts'

const patience = 30_000
const quick = ['--contexts', '8k', '--concurrency', '1,2,4', '--duration', '1s', '--skip-prefill']
const figure = /^ *8K +\d/m

const folder = testFolder()
let terminal: Terminal

afterEach(() => {
  terminal.close()
})

function demo(columns: number, rows: number, args: readonly string[] = quick): Terminal {
  terminal = new Terminal(process.execPath, demoCommand(args), { columns, rows })
  return terminal
}

function demoCommand(args: readonly string[]): readonly string[] {
  return ['bin/tokgrid.js', 'demo', '-o', join(folder, 'result.json'), ...args]
}

/** A run on a small and fast server, whose first cell goes on for a minute unless it is skipped. */
const slow = ['--profile', 'fast', '--contexts', '8k,16k', '--concurrency', '1,2', '--duration', '60s']
const second = ({ lines }: Terminal) => lines[1] ?? ''
const measuring = ({ text }: Terminal) => text.includes('measuring')

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

test('every key does what help says', async () => {
  demo(120, 40, slow)
  const press = async (keys: string, isDone: (terminal: Terminal) => boolean) => {
    terminal.type(keys)
    await terminal.waitFor(isDone, patience)
  }
  const shows = (words: string) => (screen: Terminal) => screen.text.includes(words)
  const opens = (title: string) => (screen: Terminal) => second(screen).startsWith(title)
  const selects = (name: string) => (screen: Terminal) =>
    screen.lines.some(line => line.startsWith(`${name}  `) || line === name)
  await terminal.waitFor(measuring, patience)

  await press('?', opens('Keys'))
  await press('\u001b[6~', shows('TTFT beneath'))
  await press('\u001b[H', shows('stop the run; asks once'))
  await press('?', opens('Decode tok/s'))

  await press('j', selects('16K × 1'))
  await press('\u001b[C', selects('16K × 2'))
  await press('\u001b[A', selects('8K × 2'))
  await press('\r', opens('Cell 8K × 2'))
  await press('h', opens('Cell 8K × 1'))
  await press('\u001b', opens('Decode'))
  await press('h', selects('prefill 8K'))
  await press('\u001b', selects('8K × 1'))

  await press('m', opens('Decode tok/s per request'))
  await press('M', opens('Decode tok/s output'))
  await press('M', opens('Decode interval'))
  await press('e', opens('What limits 8K × 1'))
  await press('e', opens('Decode'))
  await press('o', opens('Model output'))
  await terminal.waitFor(({ lines }) => /[a-z]{2,} [a-z]{2,}/.test(lines[3] ?? ''), patience)
  await press('o', opens('Decode'))
  await press('2', opens('Cell 8K × 1'))
  await press('3', opens('Server'))
  await press('4', opens('Events'))
  await press('1', opens('Decode'))
  for (const title of ['Cell', 'Server', 'Events', 'Decode']) await press('\t', opens(title))

  await press('p', shows('PAUSING AFTER THIS CELL'))
  await press(' ', screen => !screen.text.includes('PAUSING'))
  await press('r', shows('you asked to measure 8K × 1 anew'))
  await terminal.waitFor(shows(' 0 of 60 s'), patience)
  await press('p', shows('PAUSING AFTER THIS CELL'))
  await press('s', shows('8K × 1: skipped'))
  await terminal.waitFor(shows('paused: p goes on'), patience)
  await press('r', shows('↻'))
  await press('p', screen => screen.text.includes('Now 8K × 1') && measuring(screen))

  terminal.emulator.write('\u001b[5;5Hsomething else wrote here')
  await terminal.waitFor(shows('something else wrote here'), patience)
  await press('\u000c', screen => !screen.text.includes('something else wrote here'))

  await press('q', shows('Stop the run?'))
  await press('n', screen => !screen.text.includes('Stop the run?'))
  await press('q', shows('Stop the run?'))
  terminal.type('y')
  expect(await terminal.exited).toBe(130)
  await expectRestored()
})

test('Ctrl-C twice ends at once', async () => {
  // A softly stopping run sees the server idle, which on so slow a one takes seconds.
  demo(80, 24, ['--speed', '0.05', '--contexts', '8k', '--concurrency', '1', '--duration', '60s'])
  await terminal.waitFor(({ text }) => text.includes('reading'), patience)
  terminal.type('\u0003')
  // The second one has to be told from the same wish that comes twice.
  await terminal.quiet(400)
  terminal.type('\u0003')
  expect(await terminal.exited).toBe(130)
  await expectRestored()
  expect(terminal.scrollback.join('\n')).toContain('stopped at once')
})

test('Ctrl-Z gives the terminal back to the shell, fg takes it again and begins the cell anew', async () => {
  const shell = { columns: 80, rows: 24, env: { PS1: 'shell> ' } }
  terminal = new Terminal('bash', ['--norc', '-i'], shell)
  terminal.type(`${[process.execPath, ...demoCommand(slow)].join(' ')}\r`)
  await terminal.waitFor(screen => screen.isAlternate && measuring(screen), patience)
  terminal.type('\u001a')
  await terminal.waitFor(({ text }) => /Stopped.*shell> \s*$/s.test(text), patience)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
  await terminal.quiet(1000)
  terminal.type('fg\r')
  await terminal.waitFor(screen => screen.isAlternate && screen.text.includes('8K × 1 anew'), patience)
  expect(second(terminal)).toContain('Decode tok/s')
  terminal.type('qy')
  await terminal.waitFor(({ text }) => /result\.json\s+shell> $/m.test(text), patience)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
})

test.each(['promise', 'component'])('a fault in a %s restores the terminal and is told', async fault => {
  const command = ['--import', './test/support/fault.ts', ...demoCommand(slow)]
  terminal = new Terminal(process.execPath, command, { columns: 80, rows: 24, env: { FAULT: fault } })
  await terminal.waitFor(measuring, patience)
  terminal.signal('SIGUSR2')
  expect(await terminal.exited).toBe(70)
  await terminal.quiet(100)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
  const text = terminal.scrollback.join('\n')
  expect(text).toContain('result.json')
  expect(text).toMatch(/a bug, please report it:\nError: a fault on purpose\n +at /)
})
