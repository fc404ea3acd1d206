import { Engine } from './engine/engine.ts'
import { SimulatedServer } from './http/server.ts'
import type { ServerSpec } from './server-spec.ts'

/** The server, not listening yet, in real time. */
export function createServer({ profile, seed, server }: ServerSpec): SimulatedServer {
  return new SimulatedServer(server, {
    createEngine: () => new Engine(profile, seed),
    clock: () => performance.now(),
    now: () => new Date(),
  })
}
