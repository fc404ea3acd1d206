// The simulated server's thread with a watch on its steps: how late each was after the time at which the engine ended it.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { Engine } from '../../src/simulator/engine/engine.ts'
import { SimulatedServer } from '../../src/simulator/http/server.ts'
import { specOf } from '../../src/simulator/server-spec.ts'

/** What the thread tells of the time since it was asked last; heap after a full collection, in MiB. */
export type Watch = {
  readonly steps: number
  readonly tokens: number
  readonly lateP50Ms: number
  readonly lateP99Ms: number
  readonly lateMaxMs: number
  /** Share of the time that the thread was busy. */
  readonly busy: number
  readonly heapMiB: number
}

const { profile }: { profile: string } = workerData
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

let late: number[] = []
let tokens = 0
let idleBefore = performance.eventLoopUtilization()
const spec = specOf({ profile })
const server = new SimulatedServer(spec.server, {
  createEngine: () =>
    new Engine(spec.profile, spec.seed, step => {
      late.push(performance.now() - step.endsAt)
      for (const request of step.requests) tokens += request.tokens
    }),
  clock: () => performance.now(),
  now: () => new Date(),
})
parentPort?.on('message', () => {
  const sorted = late.toSorted((a, b) => a - b)
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0
  const { utilization } = performance.eventLoopUtilization(idleBefore)
  if (typeof collect === 'function') collect()
  const watch: Watch = {
    steps: late.length,
    tokens,
    lateP50Ms: quantile(0.5),
    lateP99Ms: quantile(0.99),
    lateMaxMs: quantile(1),
    busy: utilization,
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
  }
  late = []
  tokens = 0
  idleBefore = performance.eventLoopUtilization()
  parentPort?.postMessage(watch)
})
parentPort?.postMessage(await server.listen(0))
