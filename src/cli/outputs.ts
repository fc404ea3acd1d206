import { closeSync, openSync, writeSync } from 'node:fs'
import { TokgridError } from '../domain/failure.ts'
import type { RunState } from '../domain/run-state.ts'
import type { RunResult } from '../result/schema.ts'
import type { EventLog } from '../runner/event-log.ts'
import { keepJournal } from '../runner/journal.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-code.ts'
import type { RunFlags } from './flags.ts'
import { defaultResultPath, documentText, ResultFile } from './result-file.ts'

export type Outputs = {
  /** Writes the result to its file for the last time. */
  save(): void
  /** Where the result stands; `null`: in no file. */
  savedTo(): string | null
  /** What keeps the result from its file at the moment, in a few words; `null`: nothing. */
  trouble(): string | null
  /** The result as it is now; `null` before the server is known. */
  result(): RunResult | null
  /** Writes to stdout what is in no file and says why. Returns the exit code that this alone calls for. */
  finish(): number
  close(): void
}

/**
 * Opens what a run writes: the result, anew after every cell, and the journal. Throws TokgridError (usage) when one of
 * them cannot be written, before anything is measured. `replaced`: a file that the result holds all of; `null`: none.
 */
export function openOutputs(
  log: EventLog,
  flags: Pick<RunFlags, 'output' | 'events'>,
  replaced: string | null,
  { stdout, stderr }: CliContext,
  build: (state: RunState) => RunResult | null,
): Outputs {
  const { run, server } = log.state
  const path = flags.output ?? defaultResultPath(server?.model.id ?? 'model', run?.wallTime ?? '')
  const file = path === '-' ? null : new ResultFile(path, replaced)
  const journal = flags.events === undefined ? null : openJournal(log, flags.events, stdout, stderr)
  const unsubscribe = log.subscribe((event, state) => {
    const result = event.kind === 'job-ended' ? build(state) : null
    if (result !== null) file?.write(result)
  })
  let saved = file?.path ?? null
  let exitCode: number | null = null
  const tell = (result: RunResult | null): number => {
    if (result === null || (file !== null && saved === file.path)) return exitCodes.done
    if (saved === null) stdout.write(documentText(result))
    if (file === null) return exitCodes.done
    const where = saved === null ? 'on stdout' : `in ${saved}`
    stderr.write(`tokgrid: ${file.path} could not be written (${file.failure}); the result is ${where}\n`)
    return exitCodes.error
  }
  return {
    save: () => {
      const result = build(log.state)
      if (file !== null && result !== null) saved = file.writeLast(result)
    },
    savedTo: () => saved,
    result: () => build(log.state),
    trouble: () => (file === null || file.failure === null ? null : `RESULT NOT SAVED: ${file.failure}`),
    finish: () => {
      exitCode ??= tell(build(log.state))
      return exitCode
    },
    close: () => {
      unsubscribe()
      journal?.()
    },
  }
}

/** Events that were before the journal was opened come first. Lines are on disk when the event has been told. */
function openJournal(
  log: EventLog,
  path: string,
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
): () => void {
  const earlier = log.state.history.map(event => JSON.stringify(event))
  if (path === '-') {
    for (const line of earlier) stdout.write(`${line}\n`)
    return keepJournal(log, line => stdout.write(`${line}\n`))
  }
  let file: number | null
  try {
    file = openSync(path, 'w')
  } catch {
    throw new TokgridError('usage', `--events: ${path} cannot be written`)
  }
  const writeLine = (line: string) => {
    if (file === null) return
    try {
      writeSync(file, `${line}\n`)
    } catch (error) {
      stderr.write(
        `tokgrid: the journal ${path} ends here: ${error instanceof Error ? error.message : error}\n`,
      )
      closeSync(file)
      file = null
    }
  }
  earlier.forEach(writeLine)
  const unsubscribe = keepJournal(log, writeLine)
  return () => {
    unsubscribe()
    if (file !== null) closeSync(file)
  }
}
