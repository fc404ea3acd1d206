// How punctual the simulated server is, and whether its memory stays flat:
//   npm run bench:simulator -- [--seconds 60] [--streams 128] [--profile fast] [--every 10]
// The server runs in a thread of its own, as in the demo. This thread is the client: one socket for each stream, which asks for 4096
// tokens (prompt of 8K tokens, its own) and asks again when they are there; it only reads, and looks at no byte but the last five.
// `fast` takes 10 ms a step and gives one token, so that 128 streams are 12,800 chunks a second. Lateness is taken in the server's
// thread, at the moment at which a step's results are taken up, against the time at which the engine ended the step: it holds the
// timer's grain (1 ms, rounded up), the writes of other steps, reads, and garbage collection. Heap is the thread's, after a collection.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Watch } from './simulator-thread.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    streams: { type: 'string', default: '128' },
    profile: { type: 'string', default: 'fast' },
    every: { type: 'string', default: '10' },
  },
})
const [seconds, streams, every] = [Number(values.seconds), Number(values.streams), Number(values.every)]
const worker = new Worker(new URL('./simulator-thread.ts', import.meta.url), {
  workerData: { profile: values.profile },
})
const [port]: number[] = await once(worker, 'message')
const sockets = Array.from({ length: streams }, (_, i) => stream(port ?? 0, i))
// The first prompts are read, and code is warmed, before anything counts.
await sleep(5000)
await ask()

process.stdout.write('     s  tok/s  steps/s  late p50  p99  max ms  busy  heap MiB  process RSS MiB\n')
const watches: Watch[] = []
for (let at = every; at <= seconds; at += every) {
  await sleep(every * 1000)
  const watch = await ask()
  watches.push(watch)
  process.stdout.write(
    `${String(at).padStart(6)} ${(watch.tokens / every).toFixed(0).padStart(6)} ${(watch.steps / every).toFixed(1).padStart(8)} ` +
      `${watch.lateP50Ms.toFixed(2).padStart(9)} ${watch.lateP99Ms.toFixed(2)} ${watch.lateMaxMs.toFixed(1).padStart(6)} ` +
      `${watch.busy.toFixed(2).padStart(7)} ${watch.heapMiB.toFixed(1).padStart(8)} ${(process.memoryUsage().rss / 2 ** 20).toFixed(0).padStart(8)}\n`,
  )
}
for (const socket of sockets) socket.destroy()
await worker.terminate()
const p99 = Math.max(...watches.map(({ lateP99Ms }) => lateP99Ms))
const typicalP99 = watches.map(({ lateP99Ms }) => lateP99Ms).toSorted((a, b) => a - b)[
  Math.floor(watches.length / 2)
]
const third = Math.ceil(watches.length / 3)
const heap = (list: readonly Watch[]) => list.reduce((sum, { heapMiB }) => sum + heapMiB, 0) / list.length
process.stdout.write(
  `steps late by p99 ${typicalP99?.toFixed(2)} ms (median of the intervals; worst interval ${p99.toFixed(2)} ms); ` +
    `heap ${heap(watches.slice(0, third)).toFixed(1)} MiB in the first third, ${heap(watches.slice(-third)).toFixed(1)} in the last\n`,
)

async function ask(): Promise<Watch> {
  worker.postMessage('watch')
  const [watch]: Watch[] = await once(worker, 'message')
  if (watch === undefined) throw new Error('the thread gave no answer')
  return watch
}

/** A stream that is always open: its request is sent again when the answer's last chunk has come. */
function stream(serverPort: number, index: number) {
  const body = JSON.stringify({
    model: 'any',
    messages: [{ role: 'user', content: `stream ${index} `.repeat(3000).slice(0, 8192 * 4) }],
    max_tokens: 4096,
    ignore_eos: true,
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
  })
  const request = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const socket = connect(serverPort, '127.0.0.1', () => socket.write(request))
  socket.setNoDelay(true)
  socket.on('data', data => {
    if (data.subarray(-5).toString('latin1') === '0\r\n\r\n') socket.write(request)
  })
  return socket
}
