import { afterAll } from 'vitest'
import { createServer } from '../../src/simulator/create-server.ts'
import { type SimulatorOptions, specOf } from '../../src/simulator/server-spec.ts'
import { Client } from './client.ts'

/** A fast server in this thread, 0.5 ms a step unless told otherwise. */
export type Launched = {
  readonly client: Client
  [Symbol.asyncDispose](): Promise<void>
}

export async function launched(options: Partial<SimulatorOptions> = {}): Promise<Launched> {
  const server = createServer(specOf({ profile: 'fast', speed: 20, ...options }))
  const port = await server.listen(0)
  return {
    client: new Client(`http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** The client of one fast server for all tests of the file. */
export async function sharedClient(): Promise<Client> {
  const server = await launched()
  afterAll(() => server[Symbol.asyncDispose]())
  return server.client
}
