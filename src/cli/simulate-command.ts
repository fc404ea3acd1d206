import type { CliContext } from './context.ts'
import { startServer } from './demo-command.ts'
import { readFlags, simulateFlags } from './flags.ts'

/** `tokgrid simulate`: the simulated server alone, until a signal ends it. Returns the exit code. */
export async function simulateCommand(raw: unknown, { stdout }: CliContext): Promise<number> {
  const { apiKey, ...flags } = readFlags(simulateFlags, raw)
  const server = await startServer({ ...flags, ...(apiKey === undefined ? {} : { apiKey }) })
  stdout.write(`listening on ${server.url}\n`)
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await server.close()
  return 0
}
