import { type IPty, spawn } from '@lydell/node-pty'
import { allLines, createEmulator, type Emulator, isAlternate, screenLines } from './emulator.ts'

export type TerminalOptions = {
  readonly columns: number
  readonly rows: number
  readonly env?: Readonly<Record<string, string>>
}

/** A command in a pseudo-terminal, with an emulator that shows what a person would see. */
export class Terminal {
  readonly emulator: Emulator
  /** Bytes that the command wrote so far. */
  bytes = 0
  readonly exited: Promise<number>
  private readonly pty: IPty
  private isCursorHidden = false
  private changed: () => void = () => {}

  constructor(command: string, args: readonly string[], { columns, rows, env }: TerminalOptions) {
    this.emulator = createEmulator(columns, rows, false)
    this.pty = spawn(command, [...args], {
      cols: columns,
      rows,
      name: 'xterm-256color',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env },
    })
    this.pty.onData(data => {
      this.bytes += Buffer.byteLength(data)
      for (const [, action] of data.matchAll(cursorModes)) this.isCursorHidden = action === 'l'
      this.emulator.write(data, () => this.changed())
    })
    this.exited = new Promise(resolve => this.pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  get lines(): readonly string[] {
    return screenLines(this.emulator)
  }

  /** What is in sight and what scrolled away. */
  get scrollback(): readonly string[] {
    return allLines(this.emulator)
  }

  get text(): string {
    return this.lines.join('\n')
  }

  get isAlternate(): boolean {
    return isAlternate(this.emulator)
  }

  get isCursorVisible(): boolean {
    return !this.isCursorHidden
  }

  type(keys: string): void {
    this.pty.write(keys)
  }

  signal(name: NodeJS.Signals): void {
    this.pty.kill(name)
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows)
    this.pty.resize(columns, rows)
  }

  /** Resolves once the screen is as wanted; fails with the screen when it is not within `timeoutMs`. */
  waitFor(isWanted: (terminal: Terminal) => boolean, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.changed = () => {}
        reject(new Error(`not seen within ${timeoutMs} ms:\n${this.text}`))
      }, timeoutMs)
      this.changed = () => {
        if (!isWanted(this)) return
        clearTimeout(timer)
        this.changed = () => {}
        resolve()
      }
      this.changed()
    })
  }

  /** Time for the command to draw, and for the emulator to take it in. */
  quiet(ms: number): Promise<void> {
    return new Promise(resolve => setTimeout(() => this.emulator.write('', resolve), ms))
  }

  /** Ends the command if it still runs. */
  close(): void {
    this.pty.kill('SIGKILL')
  }
}

const cursorModes = new RegExp(`${String.fromCharCode(0x1b)}\\[\\?25([hl])`, 'g')
