import { afterEach, describe, expect, test } from 'vitest'
import { figures } from '../../src/tui/figures.ts'
import { keyBindings } from '../../src/tui/keys.ts'
import { isAlternate } from '../support/emulator.ts'
import { show } from '../support/show.ts'
import { scenes } from './scenes.ts'

let screen: ReturnType<typeof show>

afterEach(() => screen.close())

function open(scene: keyof typeof scenes = 'running', columns = 80, rows = 24) {
  screen = show(scenes[scene](), columns, rows)
  return screen
}

const [up, down, right, left] = ['\u001b[A', '\u001b[B', '\u001b[C', '\u001b[D']
const enter = '\r'
const esc = '\u001b'
const second = (text: string) => text.split('\n')[1] ?? ''
const selected = (name: string) => (text: string) => text.includes(`\n${name}`)

describe('the question of q', () => {
  test.each(['y', enter, 'q'])('is confirmed by %j', async key => {
    const { terminal, run } = open()
    terminal.type('q')
    await terminal.until(text => text.includes('Stop the run?'))
    expect(run.asked).toEqual([])
    terminal.type(key)
    await terminal.until(text => !text.includes('Stop the run?'))
    expect(run.asked).toEqual(['stop'])
  })

  test.each([esc, 'n'])('is taken back by %j', async key => {
    const { terminal, run } = open()
    terminal.type('q')
    await terminal.until(text => text.includes('Stop the run?'))
    terminal.type(key)
    await terminal.until(text => !text.includes('Stop the run?'))
    expect(run.asked).toEqual([])
  })

  test('stands alone: other keys do nothing until it is answered', async () => {
    const { terminal, run } = open()
    terminal.type('qsrpm?4n')
    await terminal.until(text => text.includes('q stop') && text.includes('Decode tok/s ─'))
    expect(run.asked).toEqual([])
  })
})

describe('what a key asks of the run', () => {
  test('s: to skip the cell', async () => {
    const { terminal, run } = open()
    terminal.type('s')
    await expect.poll(() => run.asked).toEqual(['skip-cell'])
  })

  test('p and space: to pause, then to go on', async () => {
    const { terminal, run } = open()
    terminal.type('p')
    await expect.poll(() => run.asked).toEqual(['pause'])
    run.append({ at: run.now(), kind: 'asked', ask: 'pause' })
    await terminal.until(text => text.includes('PAUSING AFTER THIS CELL') && text.includes('p resume'))
    terminal.type(' ')
    await expect.poll(() => run.asked).toEqual(['pause', 'resume'])
  })

  test('r: to measure the selected cell anew, where that can be', async () => {
    const { terminal, run } = open()
    // 64K × 4 runs; 64K × 8 is planned, 64K × 16 does not fit, 64K × 1 has ended.
    terminal.type(`r${right}r${right}r${left}${left}${left}${left}r`)
    const cells = run.state.cells.map(({ plan }) => `${plan.contextTokens / 1024}K × ${plan.concurrency}`)
    await expect
      .poll(() => run.asked)
      .toEqual([
        { kind: 'redo-cell', cell: cells.indexOf('64K × 4') },
        { kind: 'redo-cell', cell: cells.indexOf('64K × 1') },
      ])
  })

  test('r again asks nothing more of a cell that is to be measured anew already', async () => {
    const { terminal, run } = open()
    terminal.type(`${left}${left}r`)
    await expect.poll(() => run.asked).toHaveLength(1)
    const [ask = 'stop'] = run.asked
    run.append({ at: run.now(), kind: 'asked', ask })
    terminal.type('rs')
    await expect.poll(() => run.asked).toEqual([ask, 'skip-cell'])
  })

  test('keys typed faster than they arrive count one by one', async () => {
    const { terminal, run } = open()
    terminal.type('sqq')
    await expect.poll(() => run.asked).toEqual(['skip-cell', 'stop'])
  })
})

describe('the selection', () => {
  test('moves by arrows and by h, j, k, l, and stays at the edges', async () => {
    const { terminal } = open()
    await terminal.until(selected('64K × 4'))
    terminal.type(`${up}${left}`)
    await terminal.until(selected('32K × 2'))
    terminal.type('jl')
    await terminal.until(selected('64K × 4'))
    terminal.type('kh'.repeat(9))
    await terminal.until(selected('prefill 8K'))
    terminal.type(`${right.repeat(20)}`)
    await terminal.until(selected('8K × 128'))
    terminal.type(down.repeat(20))
    await terminal.until(selected('251K × 128'))
  })

  test('follows the run until it is moved, and again after Esc', async () => {
    const { terminal, run } = open('small')
    const start = (cell: number) =>
      run.append({ at: run.now(), kind: 'job-started', target: { kind: 'cell', cell } })
    await terminal.until(selected('32K × 4'))
    start(5)
    await terminal.until(selected('32K × 16'))
    terminal.type('k')
    await terminal.until(selected('8K × 16'))
    start(4)
    terminal.type(esc)
    await terminal.until(selected('32K × 4'))
    // At an edge the selection is not moved, and goes on following.
    terminal.type('jm')
    await terminal.until(text => text.includes('per request ─'))
    start(3)
    await terminal.until(selected('32K × 1'))
    terminal.type('k')
    await terminal.until(selected('8K × 1'))
    start(4)
    terminal.type(esc)
    await terminal.until(selected('32K × 4'))
  })

  test('stays with a cell that was opened or explained; a view that was chosen by its number goes on with the run', async () => {
    for (const { keys, place } of [
      { keys: enter, place: '32K × 4' },
      { keys: 'e', place: '32K × 4' },
      { keys: '2', place: '32K × 16' },
    ]) {
      const { terminal, run } = open('small')
      terminal.type(keys)
      await terminal.until(text => second(text).includes('32K × 4'))
      run.append({ at: run.now(), kind: 'job-ended', outcome: { kind: 'skipped' } })
      run.append({ at: run.now(), kind: 'job-started', target: { kind: 'cell', cell: 5 } })
      terminal.type('1')
      await terminal.until(selected(place))
      await screen.close()
    }
  })

  test('tells why a cell does not fit', async () => {
    const { terminal } = open()
    terminal.type('lll')
    await terminal.until(text => text.includes('× over capacity: the KV cache holds only 1,000,000 tokens'))
  })

  test('is framed in the smallest grid, too', async () => {
    const { terminal } = open('running', 60, 16)
    terminal.type(`${up.repeat(9)}`)
    await terminal.until(text => /▐ *1092 ▌/.test(text))
    terminal.type(`${down.repeat(9)}${right.repeat(9)}`)
    await terminal.until(text => /251K.*▐ +req×▌/.test(text))
  })
})

describe('the views', () => {
  test('are chosen by 1 to 4', async () => {
    const { terminal } = open()
    for (const [key, sign] of [
      ['2', 'Cell 64K × 4'],
      ['3', 'Server ─'],
      ['4', 'Events ─'],
      ['1', 'Decode'],
    ] as const) {
      terminal.type(key)
      await terminal.until(text => second(text).startsWith(sign))
    }
  })

  test('follow one another by Tab', async () => {
    const { terminal } = open()
    for (const sign of ['Cell', 'Server', 'Events', 'Decode']) {
      terminal.type('\t')
      await terminal.until(text => second(text).startsWith(sign))
    }
  })

  test('Enter opens the selected cell, arrows go on to its neighbours, Esc goes back', async () => {
    const { terminal } = open()
    terminal.type(`k${enter}`)
    await terminal.until(text => second(text).startsWith('Cell 32K × 4'))
    terminal.type(left)
    await terminal.until(text => second(text).startsWith('Cell 32K × 2'))
    terminal.type(esc)
    await terminal.until(text => second(text).startsWith('Decode') && selected('32K × 2')(text))
  })

  test('Enter opens a prefill row', async () => {
    const { terminal } = open()
    terminal.type(`hhhh${enter}`)
    await terminal.until(text => second(text).includes('refill 64K'))
  })

  test('e explains and o shows the output, over any view; the same key or Esc closes', async () => {
    const { terminal } = open()
    for (const [key, sign] of [
      ['e', 'What limits 64K × 4'],
      ['o', 'Model output'],
    ] as const)
      for (const close of [key, esc]) {
        terminal.type(`4${key}`)
        await terminal.until(text => second(text).startsWith(sign))
        terminal.type(close)
        await terminal.until(text => second(text).startsWith('Events'))
      }
  })

  test('m and M show the figures, round and round in both directions', async () => {
    const { terminal } = open()
    const names = figures.map(({ name }) => name)
    for (const name of [...names.slice(1), names[0]]) {
      terminal.type('m')
      await terminal.until(text => second(text).startsWith(`Decode ${name} ─`))
    }
    terminal.type('M')
    await terminal.until(text => second(text).startsWith('Decode interval'))
  })

  test('events scroll back from the newest and stop at the oldest', async () => {
    const { terminal } = open()
    terminal.type(`4${up}`)
    await terminal.until(text => /↑\d+ ↓1 more/.test(second(text)))
    terminal.type(`${'k'.repeat(99)}j`)
    await terminal.until(text => /↑1 ↓\d+ more/.test(second(text)))
    terminal.type('\u001b[F')
    await terminal.until(text => /─ ↑\d+ more/.test(second(text)))
    terminal.type('\u001b[H')
    await terminal.until(text => /─ ↓\d+ more/.test(second(text)))
    expect(await screen.text()).toContain('connected to sglang')
  })
})

describe('help', () => {
  test('tells every key, scrolls to its end, and closes again', async () => {
    const { terminal } = open('running', 120, 24)
    terminal.type('?')
    await terminal.until(text => second(text).startsWith('Keys'))
    for (const { name, long } of keyBindings.slice(0, -1)) {
      expect(await screen.text()).toContain(`\n${name} `)
      expect(await screen.text()).toContain(long)
    }
    terminal.type('\u001b[6~\u001b[6~\u001b[6~')
    await terminal.until(text => text.includes('prompt tok/s of one cold request'))
    terminal.type('?')
    await terminal.until(text => second(text).startsWith('Decode'))
  })

  test('does not keep other keys from what they do', async () => {
    const { terminal, run } = open()
    terminal.type('?s')
    await expect.poll(() => run.asked).toEqual(['skip-cell'])
    terminal.type('3')
    await terminal.until(text => second(text).startsWith('Server'))
  })
})

test('every key has one meaning', () => {
  const keys = keyBindings.flatMap(binding => Object.keys(binding.keys))
  expect(new Set(keys).size).toBe(keys.length)
})

test('Ctrl-C goes to whoever mounted the screen, whatever is open', async () => {
  const { terminal, interrupts } = open()
  terminal.type('?q')
  await terminal.until(text => text.includes('Stop the run?'))
  terminal.type('\u0003')
  await expect.poll(() => interrupts).toHaveLength(1)
})

test('Ctrl-Z gives the terminal back for as long as the process is stopped; then the running cell begins anew', async () => {
  const { terminal, run, suspensions } = open()
  terminal.type('\u001a')
  await expect.poll(() => suspensions).toEqual([true])
  await terminal.until(() => isAlternate(terminal.emulator))
  await terminal.until(text => text.includes('Decode tok/s'))
  const { target } = run.state.job ?? {}
  expect(run.asked).toEqual([{ kind: 'redo-cell', cell: target?.kind === 'cell' ? target.cell : -1 }])
})

test('Ctrl-Z where nobody can be stopped costs the running cell nothing', async () => {
  screen = show(scenes.running(), 80, 24, 0, 50)
  screen.terminal.type('\u001a')
  await expect.poll(() => screen.suspensions).toEqual([true])
  await screen.terminal.until(() => isAlternate(screen.terminal.emulator))
  await screen.terminal.until(text => text.includes('Decode tok/s'))
  expect(screen.run.asked).toEqual([])
})

test('Ctrl-L draws over what something else has written', async () => {
  const { terminal } = open()
  await terminal.settled()
  terminal.emulator.write('\u001b[4;4Hsomething else')
  await terminal.until(text => text.includes('something else'))
  terminal.type('\u000c')
  await terminal.until(text => text.includes('Decode tok/s') && !text.includes('something else'))
})

test('the screen is drawn anew in a new size', async () => {
  const { terminal } = open()
  terminal.resize(120, 36)
  await terminal.until(text => text.split('\n').some(line => line.length === 120))
  terminal.resize(50, 12)
  await terminal.until(text => text.trim().split('\n').length === 1)
})

test('an event of the run is drawn', async () => {
  const { terminal, run } = open()
  run.append({ at: run.now(), kind: 'asked', ask: 'skip-cell' })
  await terminal.until(text => text.includes('you asked to skip this cell'))
})

test('the screen is the alternate one, and is left with the cursor shown', async () => {
  const { terminal, close } = open()
  await terminal.settled()
  expect(isAlternate(terminal.emulator)).toBe(true)
  await close()
  expect(isAlternate(terminal.emulator)).toBe(false)
  expect(terminal.stdout.written.lastIndexOf('[?25h')).toBeGreaterThan(
    terminal.stdout.written.lastIndexOf('[?25l'),
  )
})
