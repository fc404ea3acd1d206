import { afterEach, expect, test } from 'vitest'
import { isAlternate } from '../support/emulator.ts'
import { show } from '../support/show.ts'
import { scenes } from './scenes.ts'

let screen: ReturnType<typeof show>

afterEach(() => screen.close())

function open() {
  screen = show(scenes.running(), 80, 24)
  return screen
}

test.each(['y', '\r', 'q'])('q asks once and %j confirms', async key => {
  const { terminal, run } = open()
  terminal.type('q')
  await terminal.until(text => text.includes('Stop the run?'))
  expect(run.asked).toEqual([])
  terminal.type(key)
  await terminal.until(text => !text.includes('Stop the run?'))
  expect(run.asked).toEqual(['stop'])
})

test.each(['\u001b', 'n'])('the question of q is taken back by %j', async key => {
  const { terminal, run } = open()
  terminal.type('q')
  await terminal.until(text => text.includes('Stop the run?'))
  terminal.type(key)
  await terminal.until(text => !text.includes('Stop the run?'))
  expect(run.asked).toEqual([])
})

test('s asks the run to skip the cell', async () => {
  const { terminal, run } = open()
  terminal.type('s')
  await expect.poll(() => run.asked).toEqual(['skip-cell'])
})

test('keys typed faster than they arrive count one by one', async () => {
  const { terminal, run } = open()
  terminal.type('sqq')
  await expect.poll(() => run.asked).toEqual(['skip-cell', 'stop'])
})

test('m shows one figure after the other and comes back to the first', async () => {
  const { terminal } = open()
  for (const name of ['tok/s per request', 'TTFT', 'ITL', 'tok/s ─']) {
    terminal.type('m')
    await terminal.until(text => text.includes(`Decode ${name}`))
  }
})

test('help shows every key and closes again', async () => {
  const { terminal } = open()
  terminal.type('?')
  await terminal.until(text => text.includes('any key closes'))
  expect(await screen.text()).toMatch(/q {10,}stop the run.*Ctrl-C {5,}stop without/s)
  terminal.type('x')
  await terminal.until(text => text.includes('Decode tok/s'))
})

test('Ctrl-C goes to whoever mounted the screen, whatever is open', async () => {
  const { terminal, interrupts } = open()
  terminal.type('?')
  await terminal.until(text => text.includes('any key closes'))
  terminal.type('\u0003')
  await expect.poll(() => interrupts).toHaveLength(1)
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
