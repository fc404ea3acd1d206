// The clients that are compared: each as a process of its own, `node test/bench/clients.ts <client> <url> <streams>
// <seconds>`, so that its CPU is all of its cost. Prints what it saw as one line of JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { LoadGenerator } from '../../src/load/load-generator.ts'
import { targetAt } from '../support/load-target.ts'
import { SocketReader } from './socket-reader.ts'

export const endless = 1_000_000

export function truthLoad(origin: string, workers: number): LoadGenerator {
  return new LoadGenerator({
    workers,
    prompts: { nonce: 'bench000', seed: 1, text: null },
    target: targetAt(origin),
  })
}

/** Time for streams to be running before CPU counts, ms. */
const settleMs = 2000

/** CPU of this whole process for each chunk that `chunks()` counts. */
async function cost(chunks: () => number, seconds: number) {
  await sleep(settleMs)
  const [cpu, before, startedAt] = [process.cpuUsage(), chunks(), performance.now()]
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const counted = chunks() - before
  const microseconds = (performance.now() - startedAt) * 1000
  return {
    chunksPerSecond: (counted / microseconds) * 1e6,
    cpuMicrosecondsPerChunk: (user + system) / counted,
    cores: (user + system) / microseconds,
  }
}

async function loadCost(url: string, streams: number, seconds: number, workers: number) {
  const load = truthLoad(url, workers)
  let chunks = 0
  const plan = { prompt: { stream: 0, cold: null, chars: 0 }, firstMaxTokens: endless }
  const plans = Array.from({ length: streams }, () => plan)
  await load.launch(plans, endless, tick => {
    chunks += tick.chunks
  })
  return cost(() => chunks, seconds)
}

if (import.meta.main) {
  const [client = '', url = '', ...numbers] = process.argv.slice(2)
  const [streams = 1, seconds = 8, workers = 1] = numbers.map(Number)
  const reader = client === 'sockets' ? new SocketReader(url, streams, endless) : null
  const measured =
    reader === null
      ? await loadCost(url, streams, seconds, workers)
      : await cost(() => reader.chunks, seconds)
  process.stdout.write(`${JSON.stringify(measured)}\n`)
  process.exit(0)
}
