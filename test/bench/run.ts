// `npm run bench`: what a chunk costs the client, against the floor of a bare socket reader in the same run. Machines are
// noisy: read the ratio, not the microseconds.
import { LoadGenerator } from '../../src/load/load-generator.ts'
import { startTruthServer } from '../support/process.ts'
import { SocketReader } from './socket-reader.ts'

const seconds = 8
const rate = 50
const endless = 1_000_000

type Cost = { readonly chunksPerSecond: number; readonly cpuMicrosecondsPerChunk: number }

/** CPU of this whole process for each chunk that `chunks()` counts, after a second to settle. */
async function cost(chunks: () => number): Promise<Cost> {
  await pause(1000)
  const cpu = process.cpuUsage()
  const [before, startedAt] = [chunks(), performance.now()]
  await pause(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const counted = chunks() - before
  return {
    chunksPerSecond: (counted / (performance.now() - startedAt)) * 1000,
    cpuMicrosecondsPerChunk: (user + system) / counted,
  }
}

async function loadCost(url: string, streams: number): Promise<Cost> {
  const load = new LoadGenerator({
    workers: 1,
    prompts: { nonce: 'bench000', seed: 1, text: null },
    target: {
      origin: url,
      path: '/v1/chat/completions',
      endpoint: 'chat',
      openPath: '/v1/models',
      abortPath: '/abort_request',
      headers: {},
      insecure: false,
      model: 'truth',
      ignoreEos: true,
      temperature: null,
      extraBody: {},
      stallTimeoutMs: 60_000,
      firstTokenTimeoutMs: 60_000,
    },
  })
  let chunks = 0
  const plan = { prompt: { stream: 0, cold: null, chars: 0 }, firstMaxTokens: endless }
  await load.launch(
    Array.from({ length: streams }, () => plan),
    endless,
    tick => {
      chunks += tick.chunks
    },
  )
  const measured = await cost(() => chunks)
  await load.close()
  await load.stopThreads()
  return measured
}

async function floorCost(url: string, streams: number): Promise<Cost> {
  const reader = new SocketReader(url, streams, endless)
  const measured = await cost(() => reader.chunks)
  reader.close()
  return measured
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

for (const streams of [1, 32, 128]) {
  const server = await startTruthServer({ rate })
  const floor = await floorCost(server.url, streams)
  const load = await loadCost(server.url, streams)
  server.stop()
  const ratio = load.cpuMicrosecondsPerChunk / floor.cpuMicrosecondsPerChunk
  process.stdout.write(
    `${String(streams).padStart(4)} streams × ${rate} tok/s: ` +
      `load thread ${load.cpuMicrosecondsPerChunk.toFixed(0)} µs CPU a chunk, bare sockets ${floor.cpuMicrosecondsPerChunk.toFixed(0)}, ` +
      `ratio ${ratio.toFixed(2)} (${load.chunksPerSecond.toFixed(0)} chunks/s)\n`,
  )
}
process.exit(0)
