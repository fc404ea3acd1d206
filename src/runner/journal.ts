import type { Run } from './run.ts'

/** Writes every event of a run as one line of JSON, in order. Returns how to stop. */
export function keepJournal(run: Run, writeLine: (line: string) => void): () => void {
  return run.subscribe(event => writeLine(JSON.stringify(event)))
}
