import { connectServer } from '../server/connect.ts'
import type { Command } from './commands.ts'
import { connectOptions } from './connect-options.ts'
import type { CliContext } from './context.ts'
import { executeRun } from './execute-run.ts'
import { type RunFlags, readFlags, runFlags } from './flags.ts'
import { runOptions } from './run-plan.ts'
import { targetUrl } from './target.ts'
import { withUrl } from './word-lists.ts'

/** `tokgrid run [url]`: the whole matrix against a server that runs somewhere. Returns the exit code. */
export const runCommand: Command = async (raw, words, context) => {
  const flags = readFlags(runFlags, withUrl(raw, words[0]))
  return measure(flags, targetUrl(flags, context.env), context)
}

/** Connects to `url` and runs what the flags ask for. */
export async function measure(flags: RunFlags, url: string, context: CliContext): Promise<number> {
  const options = runOptions(flags)
  const target = connectOptions(flags, url, context.env)
  const connection = await connectServer(target)
  try {
    return await executeRun({ connection, flags, options, target }, context)
  } finally {
    await connection.close()
  }
}
