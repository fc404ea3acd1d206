// node test/bench/ttft.ts   what the client adds to TTFT, at launch and in steady state, beside a bare warmed undici client.
import { setTimeout as sleep } from 'node:timers/promises'
import { ttftMs } from '../../src/domain/request-trace.ts'
import { known, median } from '../../src/domain/statistics.ts'
import { promptText } from '../../src/load/prompt.ts'
import { startTruthServer, type TruthServer } from '../support/process.ts'
import { BareUndici } from './bare-undici.ts'
import { truthLoad } from './clients.ts'

const truthMs = 50
const rate = 50
/** A request takes two seconds, so that a 128th of the streams restarts every 16 ms. */
const outputTokens = 100
/** 8K tokens of four characters. */
const promptChars = 32_768
const seconds = 8
const prompts = { nonce: 'bench000', seed: 1, text: null }

type Added = { readonly launch: number; readonly steady: number }

/** TTFT above the server's own, p50, ms. */
async function loadTtft({ url }: TruthServer, streams: number): Promise<Added> {
  const load = truthLoad(url, 1)
  const traces = await new Promise<readonly Parameters<typeof ttftMs>[0][]>(resolve => {
    const ended: Parameters<typeof ttftMs>[0][] = []
    const plans = firstLengths(streams).map((firstMaxTokens, stream) => ({
      prompt: { stream, cold: null, chars: promptChars },
      firstMaxTokens,
    }))
    void load
      .launch(plans, outputTokens, tick => ended.push(...tick.ended))
      .then(() => sleep(seconds * 1000))
      .then(() => load.close())
      .then(({ cutOff }) => resolve([...ended, ...cutOff]))
  })
  await load.stopThreads()
  const of = (wanted: string) => known(traces.filter(({ purpose }) => purpose === wanted).map(ttftMs))
  return { launch: above(of('launch')), steady: above(of('steady')) }
}

async function bareTtft({ url }: TruthServer, streams: number): Promise<Added> {
  const bodies = firstLengths(streams).map((first, stream) => {
    const content = promptText(prompts, { stream, cold: null, chars: promptChars })
    return { first: body(content, first), next: body(content, outputTokens) }
  })
  const client = new BareUndici(url, streams)
  await client.warm()
  client.start(bodies)
  await sleep(seconds * 1000)
  await client.close()
  return { launch: above(client.launchTtftMs), steady: above(client.steadyTtftMs) }
}

function body(content: string, maxTokens: number): Buffer {
  const options = { include_usage: true, continuous_usage_stats: true }
  return Buffer.from(
    JSON.stringify({
      model: 'truth',
      max_tokens: maxTokens,
      stream: true,
      stream_options: options,
      messages: [{ role: 'user', content }],
    }),
  )
}

/** Evenly spread ends, as in a cell. */
function firstLengths(streams: number): number[] {
  return Array.from({ length: streams }, (_, stream) => Math.ceil(((stream + 1) / streams) * outputTokens))
}

function above(ttfts: readonly number[]): number {
  return (median(ttfts) ?? Number.NaN) - truthMs
}

/** Medians of `tries` rounds of both clients in turn, each against a fresh server. */
export async function benchTtft(counts: readonly number[], tries: number): Promise<void> {
  for (const streams of counts) {
    const rounds: { load: Added; bare: Added }[] = []
    for (let round = 0; round < tries; round++) {
      const [forBare, forLoad] = [await fresh(), await fresh()]
      rounds.push({ bare: await bareTtft(forBare, streams), load: await loadTtft(forLoad, streams) })
      forBare.stop()
      forLoad.stop()
    }
    for (const when of ['launch', 'steady'] as const) {
      const [load, bare] = (['load', 'bare'] as const).map(
        client => median(rounds.map(round => round[client][when])) ?? Number.NaN,
      )
      process.stdout.write(
        `${String(streams).padStart(5)} streams, ${when} TTFT p50 above the truth: ` +
          `load ${load?.toFixed(1)} ms, bare undici ${bare?.toFixed(1)} ms, ` +
          `(truth + load) / (truth + bare) ${((truthMs + (load ?? 0)) / (truthMs + (bare ?? 0))).toFixed(2)}, ` +
          `load / bare ${((load ?? 0) / (bare ?? 0)).toFixed(2)}\n`,
      )
    }
  }
}

function fresh(): Promise<TruthServer> {
  return startTruthServer({ rate, ttftMs: truthMs })
}

if (import.meta.main) {
  await benchTtft([1, 128], 3)
  process.exit(0)
}
