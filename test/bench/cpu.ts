// node test/bench/cpu.ts   what a chunk costs each client: the whole built command, headless; its load threads alone; a plain
// httpx reader; bare sockets (the floor).
// Set TOKGRID_BENCH_PYTHON to a Python that has httpx. Machines are noisy: read the ratios, not the microseconds.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { median } from '../../src/domain/statistics.ts'
import { startTokgrid, startTruthServer } from '../support/process.ts'
import { cpuMs } from './process-cpu.ts'

const rate = 50
const seconds = 8
const python = process.env.TOKGRID_BENCH_PYTHON ?? 'python3'
const clients = {
  sockets: [process.execPath, 'test/bench/clients.ts', 'sockets'],
  load: [process.execPath, 'test/bench/clients.ts', 'load'],
  httpx: [python, 'test/bench/httpx-reader.py'],
} as const
type Client = keyof typeof clients

const shape = z.object({
  chunksPerSecond: z.number(),
  cpuMicrosecondsPerChunk: z.number(),
  cores: z.number(),
})
type Cost = z.infer<typeof shape>

/** The window is open by then, and the code compiled. */
const streamsStartMs = 8000

/** The built command, headless, in the middle of a long window: with its sampling, events and result file. */
async function headlessMicroseconds(streams: number, isPrecise: boolean): Promise<number> {
  const server = await startTruthServer({ rate, isPrecise })
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-cpu-'))
  const { child } = startTokgrid([
    ...[
      'run',
      server.url,
      '--headless',
      '--skip-prefill',
      '--contexts',
      '1k',
      '--concurrency',
      String(streams),
    ],
    ...['--duration', '60s', '-o', join(folder, 'out.json')],
  ])
  await sleep(streamsStartMs)
  const before = cpuMs(child.pid ?? 0)
  await sleep(seconds * 1000)
  const spent = cpuMs(child.pid ?? 0) - before
  child.kill('SIGKILL')
  server.stop()
  rmSync(folder, { recursive: true })
  return (spent * 1000) / (streams * rate * seconds)
}

/** One client in a fresh process against a fresh server. */
async function cost(client: Client, streams: number, isPrecise: boolean): Promise<Cost> {
  const server = await startTruthServer({ rate, isPrecise })
  const [command, ...words] = clients[client]
  const child = spawn(command, [...words, server.url, String(streams), String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  child.kill()
  server.stop()
  return shape.parse(JSON.parse(String(line)))
}

/**
 * `tries` rounds of all clients in turn; prints the medians. A precise server sends each stream's chunks at times of its own, so
 * that nearly every chunk wakes the client; the other sends those of a millisecond together, as an engine's step does.
 */
export async function benchCpu(counts: readonly number[], tries: number, isPrecise = false): Promise<void> {
  const hasHttpx = spawnSync(python, ['-c', 'import httpx']).status === 0
  const names: readonly Client[] = hasHttpx ? ['sockets', 'load', 'httpx'] : ['sockets', 'load']
  for (const streams of counts) {
    const costs: Record<Client, Cost[]> = { sockets: [], load: [], httpx: [] }
    const whole: number[] = []
    for (let round = 0; round < tries; round++) {
      whole.push(await headlessMicroseconds(streams, isPrecise))
      for (const name of names) costs[name].push(await cost(name, streams, isPrecise))
    }
    const micros = (name: Client) => median(costs[name].map(one => one.cpuMicrosecondsPerChunk)) ?? Number.NaN
    const chunks = median(costs.load.map(one => one.chunksPerSecond)) ?? Number.NaN
    const headless = median(whole) ?? Number.NaN
    process.stdout.write(
      `${String(streams).padStart(5)} streams × ${rate} tok/s, ${isPrecise ? 'spread' : 'bunched'} (${chunks.toFixed(0)} chunks/s): CPU a chunk ` +
        `whole run ${headless.toFixed(0)} µs (${(headless / micros('sockets')).toFixed(2)} × sockets), load ${micros('load').toFixed(0)} µs, sockets ${micros('sockets').toFixed(0)} µs, ` +
        `load / sockets ${(micros('load') / micros('sockets')).toFixed(2)}; ` +
        (hasHttpx
          ? `httpx ${micros('httpx').toFixed(0)} µs, load / httpx ${(micros('load') / micros('httpx')).toFixed(2)}\n`
          : 'httpx: not installed\n'),
    )
  }
}

if (import.meta.main) {
  await benchCpu([1, 32, 128], 3)
  await benchCpu([128], 3, true)
}
