// Preloaded into every thread of a client (`node --import`): tells how long after its sending each chunk was stamped. The truth
// server puts the moment of sending where `prompt_tokens` would be, so the load threads run as they are, unaware of it.
import { BroadcastChannel } from 'node:worker_threads'
import { TokenMeter } from '../../src/load/token-meter.ts'
import { DelayCounts, delayChannel } from './delay-counts.ts'

const tellEveryMs = 250

const delays = new DelayCounts()
const observe = TokenMeter.prototype.observe
TokenMeter.prototype.observe = function (at, chunk, counter) {
  if (chunk.promptTokens !== null) delays.add(performance.timeOrigin + at - chunk.promptTokens)
  return observe.call(this, at, chunk, counter)
}

const channel = new BroadcastChannel(delayChannel)
channel.unref()
setInterval(() => {
  const { counts } = delays
  if (counts.length > 0) channel.postMessage(delays.take())
}, tellEveryMs).unref()
