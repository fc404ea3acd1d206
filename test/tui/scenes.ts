import type { ServerFacts } from '../../src/domain/server-facts.ts'
import { RunScript, scriptedServer } from '../support/scripted-run.ts'

/** Runs at moments that are worth a picture. */
export const scenes = {
  connecting: () => new RunScript(),
  prefill: () => new RunScript().begin().prefill(0).prefill(1).start({ kind: 'prefill', row: 2 }).wait(900),
  launch: () => {
    const script = new RunScript().begin().allPrefill().cells(9)
    return script.launch(script.fitting()[9] ?? 0).wait(400)
  },
  running: () => {
    const script = new RunScript().begin().allPrefill().cells(20)
    return script
      .launch(script.fitting()[20] ?? 0)
      .open()
      .run(17_000)
  },
  small: () => {
    const script = new RunScript({ contexts: [8192, 32_768], concurrency: [1, 4, 16], phases: 'decode' })
    return script.begin().cells(4).launch(4).open().run(8000)
  },
  marks: () => {
    const script = new RunScript({ contexts: [8192, 32_768], concurrency: [1, 4, 16, 64] })
    script.begin().allPrefill().cells(1).disturb(1)
    script.launch(2, 4).open().run(30_000).close()
    script.skip(3).fail(4, 'no\u001b[2J room\u202e left')
    return script.launch(5).open().run(4000)
  },
  paused: () => {
    const roomy = { ...scriptedServer, limits: { ...scriptedServer.limits, maxRunningRequests: 256 } }
    const matrix = { contexts: [1024, 8192], concurrency: [1, 4, 16, 64, 192] }
    const script = new RunScript(matrix, roomy).begin().allPrefill().cells(6)
    script.launch(6).tell({ kind: 'asked', ask: 'pause' })
    script.tell({ kind: 'asked', ask: { kind: 'redo-cell', cell: 1 } })
    return script.open().run(30_000).close().wait(65_000)
  },
  hardware: () => {
    const script = new RunScript({ contexts: [8192, 32_768], concurrency: [1, 4, 16] })
    const gpu = { name: 'NVIDIA H200', memoryMiB: 143_771, driver: null, powerLimitW: 700, migInstances: [] }
    const host = { cpu: 'a CPU', cores: 96, memoryMiB: 1_048_576, os: 'linux' }
    const gpus = [
      { ...gpu, index: 0 },
      { ...gpu, index: 1 },
    ]
    script.tell({ kind: 'hardware-found', hardware: { gpus, host } }).begin().allPrefill().cells(4)
    script.launch(4).open().run(12_000)
    const busy = { utilisation: 0.97, memoryUsedMiB: 131_000, powerW: 627, temperatureC: 61, clockMHz: 1755 }
    const told = gpus.map(({ index }) => ({
      ...busy,
      index,
      throttle: index === 1 ? (['power-cap'] as const) : [],
    }))
    const sample = { at: script.at, gpus: told, host: { cpuUtilisation: 0.12, memoryUsedMiB: 90_112 } }
    return script.tell({ kind: 'hardware-sampled', sample })
  },
  ended: () => new RunScript().begin().allPrefill().cells(99).end(),
  'no metrics': () => {
    const script = new RunScript({ contexts: [8192], concurrency: [1, 2] }, withoutMetrics)
    return script.begin().allPrefill().cells(1)
  },
} as const

const withoutMetrics: ServerFacts = {
  ...scriptedServer,
  engine: { ...scriptedServer.engine, name: 'openai-compatible', version: null },
  limits: { ...scriptedServer.limits, kvCacheTokens: null, maxRunningRequests: null },
  features: { ...scriptedServer.features, metrics: false, loads: false, realtimeCounters: false },
}
