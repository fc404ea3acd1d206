import { table } from '../format/table.ts'
import { knownFaults } from '../simulator/faults.ts'
import type { Command } from './commands.ts'
import { startServer } from './demo-command.ts'
import { readFlags, simulateFlags } from './flags.ts'

/** `tokgrid simulate`: the simulated server alone, until a signal or a fault ends it. Returns the exit code. */
export const simulateCommand: Command = async (raw, _words, { stdout }) => {
  const { dp, fault, ...flags } = readFlags(simulateFlags, raw)
  if (fault.includes('list')) {
    stdout.write(faultList())
    return 0
  }
  const server = await startServer({ ...flags, dataParallelRanks: dp, faults: fault })
  stdout.write(`listening on ${server.url}\n`)
  const signal = new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await Promise.race([signal, server.ended])
  await server.close()
  return 0
}

function faultList(): string {
  const columns = [
    { title: 'fault', align: 'left' },
    { title: 'what a client sees', align: 'left' },
  ] as const
  return `${table(
    columns,
    knownFaults.map(({ fault, effect }) => [fault, effect]),
  ).join('\n')}\n`
}
