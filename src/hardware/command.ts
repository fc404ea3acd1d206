import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../runner/ports.ts'

const answerTimeoutMs = 10_000
/** From the call to end to the end by force. One that hangs in its driver outlives even that, and is left behind. */
const graceMs = 500

/** What a command writes, once; `null`: it is absent, failed, was called off, or took longer than 10 s. */
export function readCommand(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise(resolve => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)])
    const child = execFile(command, args, { maxBuffer: 16 * 2 ** 20 }, (error, stdout) => {
      until.removeEventListener('abort', end)
      resolve(error === null ? stdout : null)
    })
    const end = () => {
      kill(child, 'SIGTERM')
      resolve(null)
    }
    until.addEventListener('abort', end)
  })
}

/**
 * Ends a command that runs. One that could not be started has no pid, and until Node has told so its handle signals
 * whatever number stands in its memory; with a 0 that is our whole process group. Its own `signal` option does that too.
 */
function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid !== undefined) child.kill(signal)
}

export type LineReader = {
  readonly onLine: (line: string) => void
  /** A command that writes no line for so long is ended. */
  readonly silenceMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Reads the lines of a command that goes on by itself, until it ends, falls silent or the signal aborts. */
export function readLines(
  command: string,
  args: readonly string[],
  { onLine, silenceMs, clock, signal }: LineReader,
): Promise<'absent' | 'ended'> {
  if (signal.aborted) return Promise.resolve('ended')
  return new Promise(resolve => {
    // In a group of its own: the Ctrl-C that asks tokgrid to stop softly must not end it before the last window.
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    child.unref()
    const lines = createInterface({ input: child.stdout })
    let callOff = () => {}
    const wait = (ms: number, then: () => void) => {
      callOff()
      callOff = clock.onTime(clock.now() + ms, then)
    }
    const end = () => {
      kill(child, 'SIGTERM')
      wait(graceMs, () => {
        kill(child, 'SIGKILL')
        ended('ended')
      })
    }
    const ended = (how: 'absent' | 'ended') => {
      callOff()
      signal.removeEventListener('abort', end)
      lines.close()
      child.stdout.destroy()
      resolve(how)
    }
    signal.addEventListener('abort', end)
    wait(silenceMs, end)
    lines.on('line', line => {
      if (signal.aborted) return
      wait(silenceMs, end)
      onLine(line)
    })
    child.on('error', () => {
      if (child.pid === undefined) ended('absent')
    })
    // Its last lines come after its end; whoever inherited its output may hold it open for ever.
    child.on('exit', () => wait(signal.aborted ? 0 : graceMs, () => ended('ended')))
    child.on('close', () => ended('ended'))
  })
}
