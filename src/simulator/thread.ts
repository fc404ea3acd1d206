import { parentPort, workerData } from 'node:worker_threads'
import { Engine } from './engine/engine.ts'
import { EngineDriver } from './http/engine-driver.ts'
import { createSimulatedServer, port } from './http/server.ts'
import { atSpeed } from './profile.ts'
import { profiles } from './profiles.ts'
import type { ThreadOptions, ThreadReport } from './start.ts'

const options: ThreadOptions = workerData
const report = (message: ThreadReport) => parentPort?.postMessage(message)

const profile = profiles.find(({ name }) => name === options.profile)
if (profile === undefined) throw new Error(`no such profile: ${options.profile}`)
const engine = new Engine(atSpeed(profile, options.speed), options.seed)
const driver = new EngineDriver(engine, () => performance.now())
const server = createSimulatedServer(driver, { apiKey: options.apiKey, now: () => new Date() })
server.on('error', error =>
  report({ kind: 'failed', code: 'code' in error ? String(error.code) : '', message: error.message }),
)
server.listen(options.port, '127.0.0.1', () => report({ kind: 'listening', port: port(server) }))
