import { once } from 'node:events'
import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { startSimulateCommand, startTruthServer, type TruthServer } from './process.ts'

/** A server of known truth in a process of its own, stopped with its test. */
export async function truthServer(options: Record<string, unknown> = {}): Promise<TruthServer> {
  const server = await startTruthServer(options)
  onTestFinished(() => server.stop())
  return server
}

/** `tokgrid simulate` with these words, stopped with its test. */
export async function simulatedServer(...words: readonly string[]) {
  const server = await startSimulateCommand(words)
  onTestFinished(() => void server.stop())
  return server
}

/** The port of loopback on which a server of this process listens until its test ends. */
export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}
