// node test/bench/delay.ts   how long after its sending a chunk is stamped, and how many chunks a second the client takes.
// The delay holds the server's write, the kernel and the wake-up, too: the bare sockets, beside it, have only these.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { z } from 'zod'
import { startTruthServer } from '../support/process.ts'
import { endless, truthLoad } from './clients.ts'
import { DelayCounts, delayChannel } from './delay-counts.ts'
import { SocketReader } from './socket-reader.ts'

const settleMs = 3000
const seconds = 8
const shape = z.object({
  chunksPerSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  cores: z.number(),
})

/** In a process of its own: `workers` load threads, or bare sockets when it is 0. */
async function watch(url: string, streams: number, workers: number): Promise<void> {
  const delays = new DelayCounts()
  if (workers === 0) {
    new SocketReader(url, streams, endless, (bytes, at) => {
      const sentAt = /"created":(\d+)/.exec(bytes.toString('latin1'))?.[1]
      if (sentAt !== undefined) delays.add(performance.timeOrigin + at - Number(sentAt) / 10)
    })
  } else {
    new BroadcastChannel(delayChannel).onmessage = message => {
      if (Array.isArray(message.data)) delays.merge(message.data)
    }
    const plan = { prompt: { stream: 0, cold: null, chars: 0 }, firstMaxTokens: endless }
    const plans = Array.from({ length: streams }, () => plan)
    await truthLoad(url, workers).launch(plans, endless, () => {})
  }
  await sleep(settleMs)
  delays.take()
  const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const ms = performance.now() - startedAt
  const result: z.infer<typeof shape> = {
    chunksPerSecond: (delays.total / ms) * 1000,
    p50: delays.quantile(0.5),
    p99: delays.quantile(0.99),
    cores: (user + system) / 1000 / ms,
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
  process.exit(0)
}

type Case = { readonly streams: number; readonly rate: number; readonly workers: readonly number[] }

/** `workers`: 0 for bare sockets. Each case against a fresh server. */
export async function benchDelay(cases: readonly Case[]): Promise<void> {
  for (const { streams, rate, workers } of cases)
    for (const count of workers) {
      const server = await startTruthServer({ rate, tellsSendTime: true })
      const words = ['--import', './test/bench/record-delays.ts', 'test/bench/delay.ts', server.url]
      const child = spawn(process.execPath, [...words, String(streams), String(count)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await once(child.stdout, 'data')
      server.stop()
      const { chunksPerSecond, p50, p99, cores } = shape.parse(JSON.parse(String(line)))
      const who = count === 0 ? 'bare sockets' : `${count} load thread${count > 1 ? 's' : ''}`
      process.stdout.write(
        `${String(streams).padStart(5)} streams × ${rate}, ${who.padEnd(14)}: ` +
          `${chunksPerSecond.toFixed(0).padStart(6)} of ${streams * rate} chunks/s, ` +
          `stamp delay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cores.toFixed(2)} cores\n`,
      )
    }
}

if (import.meta.main) {
  const [url, streams, workers] = process.argv.slice(2)
  if (url !== undefined) await watch(url, Number(streams), Number(workers))
  await benchDelay([
    { streams: 1, rate: 50, workers: [0, 1] },
    { streams: 32, rate: 50, workers: [0, 1] },
    { streams: 128, rate: 50, workers: [0, 1] },
    { streams: 256, rate: 50, workers: [0, 1, 2] },
    { streams: 512, rate: 50, workers: [0, 1, 2] },
    { streams: 1024, rate: 25, workers: [0, 1, 2] },
  ])
  process.exit(0)
}
