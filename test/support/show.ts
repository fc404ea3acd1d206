import { Console } from 'node:console'
import { mountTui } from '../../src/tui/mount.tsx'
import { isAlternate, screenLines } from './emulator.ts'
import { FakeRun } from './fake-run.ts'
import { FakeTerminal } from './fake-terminal.ts'
import type { RunScript } from './scripted-run.ts'

// Ink diverts the console, and vitest's own lacks the constructor that this needs.
Object.assign(console, { Console })

/** The screen of a scripted run, mounted in a terminal without a process. `stoppedMs`: how long Ctrl-Z stops it. */
export function show(
  script: RunScript,
  columns: number,
  rows: number,
  colours: 0 | 16 | 256 = 0,
  stoppedMs = 60_000,
) {
  const run = new FakeRun(script.events, script.at)
  const terminal = new FakeTerminal(columns, rows)
  const interrupts: number[] = []
  /** Whether the terminal had been given back, at each Ctrl-Z. */
  const suspensions: boolean[] = []
  const { stdout, stdin } = terminal
  const tui = mountTui({
    run,
    stdout,
    stdin,
    colours,
    ascii: false,
    fps: 10,
    onInterrupt: () => interrupts.push(run.now()),
    onSuspend: async () => {
      await terminal.settled()
      suspensions.push(!isAlternate(terminal.emulator))
      run.advance(stoppedMs)
    },
    output: () => 'a \u001b[31mred\u001b[0m word\r\nand another',
    trouble: () => null,
  })
  return {
    run,
    terminal,
    interrupts,
    suspensions,
    text: async () => {
      await terminal.settled()
      return screenLines(terminal.emulator).join('\n')
    },
    close: async () => {
      tui.unmount()
      await tui.waitUntilExit()
      await terminal.settled()
    },
  }
}
