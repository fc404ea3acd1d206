import { Console } from 'node:console'
import { mountTui } from '../../src/tui/mount.tsx'
import { screenLines } from './emulator.ts'
import { FakeRun } from './fake-run.ts'
import { FakeTerminal } from './fake-terminal.ts'
import type { RunScript } from './scripted-run.ts'

// Ink diverts the console, and vitest's own lacks the constructor that this needs.
Object.assign(console, { Console })

/** The screen of a scripted run, mounted in a terminal without a process. */
export function show(script: RunScript, columns: number, rows: number, colours: 0 | 16 | 256 = 0) {
  const run = new FakeRun(script.events, script.at)
  const terminal = new FakeTerminal(columns, rows)
  const interrupts: number[] = []
  const { stdout, stdin } = terminal
  const onInterrupt = () => interrupts.push(run.now())
  const tui = mountTui({ run, stdout, stdin, colours, ascii: false, fps: 10, onInterrupt })
  return {
    run,
    terminal,
    interrupts,
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
