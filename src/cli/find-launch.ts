import type { ServerFacts } from '../domain/server-facts.ts'
import { commandText } from '../server/command-text.ts'
import { listeningCommand } from '../server/listening-process.ts'
import { isThisMachine } from './this-machine.ts'

/** The facts with the command of the process that serves there, when it runs on this machine and may be looked at. */
export function withLaunchCommand(facts: ServerFacts): ServerFacts {
  if (!isThisMachine(facts.url)) return facts
  const { protocol, port } = new URL(facts.url)
  const words = listeningCommand(Number(port) || (protocol === 'https:' ? 443 : 80), process.pid)
  return words === null
    ? facts
    : { ...facts, launch: { ...facts.launch, command: commandText(words), source: 'process' } }
}
