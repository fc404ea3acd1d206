import { PassThrough, Writable } from 'node:stream'
import { createEmulator, type Emulator, screenLines } from './emulator.ts'

/** A terminal without a process: what is written is shown by an emulator, keys are typed by the test. */
export class FakeTerminal {
  readonly emulator: Emulator
  readonly stdout: FakeOutput
  readonly stdin = new FakeInput()

  constructor(columns: number, rows: number) {
    this.emulator = createEmulator(columns, rows, true)
    this.stdout = new FakeOutput(this.emulator, columns, rows)
  }

  type(keys: string): void {
    this.stdin.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows)
    this.stdout.columns = columns
    this.stdout.rows = rows
    this.stdout.emit('resize')
  }

  /** Resolves once the screen is as wanted; the test's own time limit is the limit. */
  until(isWanted: (text: string) => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (!isWanted(screenLines(this.emulator).join('\n'))) return
        listening.dispose()
        resolve()
      }
      const listening = this.emulator.onWriteParsed(look)
      look()
    })
  }

  /** Once the emulator has taken in all that was written. */
  settled(): Promise<void> {
    return new Promise(resolve => this.emulator.write('', resolve))
  }
}

class FakeOutput extends Writable {
  readonly isTTY = true
  written = ''
  private readonly emulator: Emulator
  columns: number
  rows: number

  constructor(emulator: Emulator, columns: number, rows: number) {
    super({ decodeStrings: false })
    this.emulator = emulator
    this.columns = columns
    this.rows = rows
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.written += chunk
    this.emulator.write(chunk)
    done()
  }
}

class FakeInput extends PassThrough {
  readonly isTTY = true

  constructor() {
    super({ encoding: 'utf8' })
  }

  setRawMode(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}
