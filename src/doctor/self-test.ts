import type { ClientHealth } from '../domain/load-record.ts'
import { sum } from '../domain/statistics.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { LoadTarget } from '../load/messages.ts'
import type { Clock } from '../runner/ports.ts'

/** What the load threads did with streams of a known rate. */
export type SelfTest = {
  readonly streams: number
  readonly seconds: number
  /** What the simulated server was to send, all streams together. */
  readonly chunksPerSecondWanted: number
  readonly chunksPerSecond: number
  readonly client: ClientHealth
}

export type SelfTestPlan = {
  /** A simulated server of this machine that sends one token in a chunk. */
  readonly server: { readonly url: string; readonly model: string }
  readonly streams: number
  readonly workers: number
  /** Of one stream. */
  readonly chunksPerSecond: number
  readonly seconds: number
}

const announceMs = 200
/** Longest wait for all streams to run. */
const startMs = 5000
/** No stream ends within the test. */
const maxTokens = 60_000

/** Runs the load threads of a real run against the simulated server; `null` when nothing was counted. */
export async function selfTest(
  { server, streams, workers, chunksPerSecond, seconds }: SelfTestPlan,
  clock: Clock,
): Promise<SelfTest | null> {
  const load = new LoadGenerator({
    target: simulatedTarget(server),
    prompts: { nonce: 'doctor', seed: 1, text: null },
    workers,
  })
  try {
    const running = Promise.withResolvers<void>()
    const plans = Array.from({ length: streams }, (_, stream) => ({
      prompt: { stream, cold: null, chars: 0 },
      firstMaxTokens: maxTokens,
    }))
    await load.launch(plans, maxTokens, ({ started }) => {
      if (started >= streams) running.resolve()
    })
    await Promise.race([running.promise, until(clock.now() + startMs, clock)])
    const from = clock.now() + announceMs
    const to = from + seconds * 1000
    load.openWindow({ from, to, sliceMs: seconds * 1000 })
    await until(to + announceMs, clock)
    const { counts } = await load.close()
    if (counts === null) return null
    return {
      streams,
      seconds,
      chunksPerSecondWanted: chunksPerSecond * streams,
      chunksPerSecond: sum(counts.sliceTokens) / seconds,
      client: counts.client,
    }
  } finally {
    await load.stopThreads()
  }
}

function simulatedTarget({ url, model }: SelfTestPlan['server']): LoadTarget {
  return {
    origin: url,
    path: '/v1/chat/completions',
    endpoint: 'chat',
    openPath: '/v1/models',
    abortPath: '/abort_request',
    headers: {},
    insecure: false,
    proxy: null,
    model,
    ignoreEos: true,
    temperature: null,
    extraBody: {},
    stallTimeoutMs: startMs,
    firstTokenTimeoutMs: startMs,
  }
}

function until(at: number, clock: Clock): Promise<void> {
  return new Promise(resolve => {
    clock.onTime(at, resolve)
  })
}
