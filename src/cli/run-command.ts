import { connectServer } from '../server/connect.ts'
import type { Command } from './commands.ts'
import type { CliContext } from './context.ts'
import { executeRun } from './execute-run.ts'
import { type RunFlags, readFlags, runFlags } from './flags.ts'
import { runOptions } from './run-plan.ts'
import { apiKey, targetUrl } from './target.ts'
import { withUrl } from './word-lists.ts'

/** `tokgrid run [url]`: the whole matrix against a server that runs somewhere. Returns the exit code. */
export const runCommand: Command = async (raw, words, context) => {
  const flags = readFlags(runFlags, withUrl(raw, words[0]))
  return measure(flags, targetUrl(flags, context.env), context)
}

/** Connects to `url` and runs what the flags ask for. */
export async function measure(flags: RunFlags, url: string, context: CliContext): Promise<number> {
  const options = runOptions(flags)
  const key = apiKey(flags, context.env)
  const headers = Object.fromEntries(flags.header)
  const connection = await connectServer({
    url,
    apiKey: key,
    headers,
    insecure: flags.insecure,
    model: flags.model ?? null,
    engine: flags.engine ?? null,
  })
  try {
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
    return await executeRun(
      { connection, flags, options, headers: { ...authorization, ...headers } },
      context,
    )
  } finally {
    await connection.close()
  }
}
