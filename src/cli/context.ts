import type { Origin } from './flag-values.ts'
import type { Environment } from './target.ts'

/** What the process gives to a command. */
export type CliContext = {
  readonly version: string
  /** The words after `tokgrid`. */
  readonly words: readonly string[]
  /** Where the flags' values come from that are not their defaults. */
  readonly origins: readonly Origin[]
  readonly env: Environment
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Called before a bug is reported: give the terminal back, save what was measured. */
  readonly crashHandlers: Set<() => void>
  /** Ends the process because of a bug that came up beside the command. */
  readonly crash: (error: unknown) => void
}
