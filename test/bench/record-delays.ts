// Preloaded into every thread of a client: tells how long after its sending each chunk was stamped. The truth server puts the
// moment of sending where `created` would be, so the load threads run as they are, unaware of it.
import { writeFileSync } from 'node:fs'
import { BroadcastChannel } from 'node:worker_threads'
import { ChunkReader } from '../../src/load/chunk-reader.ts'
import { TokenMeter } from '../../src/load/token-meter.ts'
import { DelayCounts, delayChannel, delaysFile } from './delay-counts.ts'

const tellEveryMs = 250

const delays = new DelayCounts()
let sentAt = Number.NaN
const { read } = ChunkReader.prototype
ChunkReader.prototype.read = function (data) {
  sentAt = Number(/"created":(\d+)/.exec(data)?.[1]) / 10
  return read.call(this, data)
}
const observe = TokenMeter.prototype.observe
TokenMeter.prototype.observe = function (at, chunk, counter) {
  if (sentAt > 0) delays.add(performance.timeOrigin + at - sentAt)
  return observe.call(this, at, chunk, counter)
}

const channel = new BroadcastChannel(delayChannel)
channel.unref()
const file = process.env[delaysFile]
setInterval(() => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(Array.from(delays.counts, count => count ?? 0)))
  else if (delays.counts.length > 0) channel.postMessage(delays.take())
}, tellEveryMs).unref()
