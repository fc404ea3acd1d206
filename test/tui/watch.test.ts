import { Console } from 'node:console'
import { afterEach, describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { textWidth } from '../../src/format/text-width.ts'
import { paint } from '../../src/tui/theme.ts'
import { mountWatch } from '../../src/tui/watch.tsx'
import { type WatchedServer, watchLines } from '../../src/tui/watch-view.ts'
import { isAlternate } from '../support/emulator.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { RunScript } from '../support/scripted-run.ts'

// Ink diverts the console, and vitest's own lacks the constructor that this needs.
Object.assign(console, { Console })

/** Facts and samples of a run of somebody else. */
const script = new RunScript().begin().cells(3).launch(3).open().run(9000)
const seen = script.events.filter(({ kind }) => kind === 'server-connected' || kind === 'server-sampled')
const state = foldRun(seen)
const busy: WatchedServer = { url: 'http://gpu1:30000', state, problem: null }
const lost: WatchedServer = { ...busy, url: 'http://gpu2:30000', problem: 'HTTP 503' }
const never: WatchedServer = { url: 'gpu3:30000', state: foldRun([]), problem: 'connection\u001b[2J refused' }

function draw(servers: readonly WatchedServer[], width: number, height: number): readonly string[] {
  return watchLines(servers, script.at + 500, { width, height }).map(line =>
    paint(line, { colours: 0, ascii: false }).trimEnd(),
  )
}

describe('the servers that are watched', () => {
  test.each([
    ['one', [busy], 80, 22],
    ['two', [busy, lost], 130, 34],
    ['three', [busy, lost, never], 80, 48],
  ] as const)('%s', async (name, servers, width, height) => {
    const text = `${draw(servers, width, height).join('\n')}\n`
    await expect(text).toMatchFileSnapshot(`golden/watch-${name}-${width}x${height}.txt`)
  })

  test('stand beside one another where both can be read, else beneath', () => {
    const [beside = ''] = draw([busy, lost], 118, 30)
    expect(beside).toMatch(/^gpu1:30000.*gpu2:30000/)
    const beneath = draw([busy, lost], 117, 30)
    expect(beneath[0]).not.toContain('gpu2')
    expect(beneath[15]).toMatch(/^gpu2:30000/)
  })

  test('shrink to a line each, and those without one are counted', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ ...busy, url: `http://gpu${index}:1` }))
    const lines = draw(many, 60, 4)
    expect(lines.slice(0, 3).map(line => line.slice(0, 6))).toEqual(['gpu0:1', 'gpu1:1', 'gpu2:1'])
    expect(lines[3]).toBe('… 6 servers without room')
    expect(draw(many, 60, 9)).toHaveLength(9)
  })

  test('leave their room to those that tell figures when there is nothing to tell of them', () => {
    const lines = draw([never, busy, { ...never, url: 'http://gpu4:1' }], 80, 22)
    expect(lines[0]).toMatch(/^gpu3:30000/)
    expect(lines[3]).toMatch(/^gpu1:30000/)
    expect(lines.slice(3, 19).join('\n')).toMatch(/running 8.*queued 0.*generated tok.*KV cache 8%/s)
    expect(lines[19]).toMatch(/^gpu4:1/)
  })

  test('tell what runs and what waits in as little as four lines', () => {
    const lines = draw([busy, busy], 80, 8)
    expect(lines[1]).toMatch(/^KV cache/)
    expect(lines[2]).toBe('running 8  queued 0  1,794 tok/s')
  })

  test('have as much of the name of their model as there is room for', () => {
    const title = (width: number) => draw([busy], width, 22)[0]
    expect(title(62)).toMatch(/^gpu1:30000 Qwen\/Qwen3\.5-35B-A3B on sglang 0\.5\.9 ─+$/)
    expect(title(40)).toMatch(/^gpu1:30000 Qwen\/Qwen3\.5-35B-A3B on … ─+$/)
  })

  test('are named once: why one cannot be reached needs no second url', () => {
    const gone = { ...never, url: 'http://gpu3:30000', problem: 'cannot reach http://gpu3:30000: refused' }
    expect(draw([gone], 80, 3)[0]).toBe('gpu3:30000 cannot reach: refused; looking for it again')
  })

  test('fit whatever the size', () => {
    for (let width = 20; width < 250; width += 13)
      for (let height = 1; height < 60; height += 7) {
        const lines = draw([busy, lost, never], width, height)
        expect(lines).toHaveLength(height)
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      }
  })
})

describe('the screen of watch', () => {
  let close = async () => {}
  afterEach(() => close())

  function open(servers: readonly WatchedServer[] = [busy]) {
    const terminal = new FakeTerminal(80, 24)
    const left: string[] = []
    const screen = mountWatch({
      servers: () => servers,
      now: () => script.at,
      stdout: terminal.stdout,
      stdin: terminal.stdin,
      colours: 0,
      ascii: false,
      onQuit: () => left.push('quit'),
      onInterrupt: () => left.push('interrupt'),
      onSuspend: async () => {
        await terminal.settled()
        left.push(isAlternate(terminal.emulator) ? 'suspended in the screen' : 'suspended')
      },
    })
    close = async () => {
      screen.unmount()
      await screen.waitUntilExit()
    }
    return { terminal, screen, left }
  }

  test('is left by q and by Ctrl-C', async () => {
    const { terminal, left } = open()
    terminal.type('q')
    await expect.poll(() => left).toEqual(['quit'])
    terminal.type('\u0003')
    await expect.poll(() => left).toEqual(['quit', 'interrupt'])
  })

  test('tells of its keys and figures, and any key goes back', async () => {
    const { terminal, left } = open()
    terminal.type('?')
    await terminal.until(text => text.includes('any key closes') && text.includes('cached prompt'))
    terminal.type('q')
    await terminal.until(text => text.includes('KV cache ━'))
    expect(left).toEqual([])
  })

  test('gives the terminal back on Ctrl-Z, and is drawn anew afterwards, with help open too', async () => {
    const { terminal, left } = open()
    terminal.type('\u001a')
    await expect.poll(() => left).toEqual(['suspended'])
    await terminal.until(text => text.includes('KV cache ━'))
    terminal.type('?')
    await terminal.until(text => text.includes('any key closes'))
    terminal.type('\u001a')
    await expect.poll(() => left).toEqual(['suspended', 'suspended'])
    await terminal.until(text => text.includes('any key closes'))
  })

  test('is drawn anew in a new size', async () => {
    const { terminal } = open()
    await terminal.until(text => text.includes('gpu1:30000'))
    terminal.resize(120, 36)
    await terminal.until(text => text.split('\n').some(line => line.length === 120))
  })

  test('shows what has changed', async () => {
    const servers = [busy]
    const { terminal, screen } = open(servers)
    await terminal.until(text => text.includes('gpu1:30000'))
    servers[0] = lost
    screen.changed()
    await terminal.until(text => text.includes('HTTP 503; looking for it again'))
  })
})
