import { Worker } from 'node:worker_threads'
import type { LoadTick, Window, WindowCounts } from '../domain/load-record.ts'
import type { RequestTrace } from '../domain/request-trace.ts'
import { known } from '../domain/statistics.ts'
import type { SingleRequest, StreamPlan } from '../domain/step.ts'
import type { LoadPort } from '../runner/ports.ts'
import { mergeCounts, scaled } from './merge-counts.ts'
import type { FromWorker, LoadTarget, ToWorker } from './messages.ts'
import type { PromptSource } from './prompt.ts'
import { TickMerger } from './tick-merger.ts'

/** Beside the source when run from source, beside the bundle otherwise. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './load-worker.js',
  import.meta.url,
)

export type LoadOptions = {
  readonly target: LoadTarget
  readonly prompts: PromptSource
  readonly workers: number
}

/** The main side of the load threads: splits the streams among them and merges what they report. */
export class LoadGenerator implements LoadPort {
  readonly #threads: readonly Thread[]
  #batches = 0
  #ticks = new TickMerger(0, () => {})

  constructor({ target, prompts, workers }: LoadOptions) {
    this.#threads = Array.from({ length: workers }, (_, worker) => new Thread({ target, prompts, worker }))
  }

  /** Single requests all go through the first thread: there are few at a time. */
  async send(requests: readonly SingleRequest[], atOnce: number): Promise<readonly RequestTrace[]> {
    const id = this.#batches++
    const answer = this.#first().answer('sent', message => message.id === id)
    this.#first().post({ kind: 'send', id, requests, atOnce })
    return (await answer).traces
  }

  async launch(
    streams: readonly StreamPlan[],
    maxTokens: number,
    onTick: (tick: LoadTick) => void,
  ): Promise<void> {
    const assigned = streams.map((plan, index) => ({ ...plan, index }))
    const shares = this.#threads
      .map((thread, worker) => ({
        thread,
        streams: assigned.filter(({ index }) => index % this.#threads.length === worker),
      }))
      .filter(share => share.streams.length > 0)
    const ticks = new TickMerger(shares.length, onTick)
    this.#ticks = ticks
    for (const [share, { thread }] of shares.entries()) thread.onTick = tick => ticks.add(share, tick)
    await Promise.all(
      shares.map(share => {
        const prepared = share.thread.answer('prepared')
        share.thread.post({ kind: 'prepare', streams: share.streams, maxTokens })
        return prepared
      }),
    )
    for (const { thread } of shares) thread.post({ kind: 'start' })
  }

  openWindow(window: Window): void {
    for (const thread of this.#threads) thread.post({ kind: 'open-window', window })
  }

  async close(): Promise<{ counts: WindowCounts | null; cutOff: readonly RequestTrace[] }> {
    const closed = await Promise.all(
      this.#threads.map(thread => {
        const answer = thread.answer('closed')
        thread.post({ kind: 'close' })
        return answer
      }),
    )
    const { counts, tokensPerChunk } = mergeCounts(
      known(closed.map(answer => answer.counts)),
      closed.map(answer => answer.usageBefore),
    )
    return {
      counts,
      cutOff: [...this.#ticks.rest(), ...closed.flatMap(answer => answer.cutOff)].map(trace =>
        scaled(trace, tokensPerChunk),
      ),
    }
  }

  /** The last characters that one stream of the cell was answered; `null` while there is none. */
  async peek(chars: number): Promise<string | null> {
    const answer = this.#first().answer('peeked')
    this.#first().post({ kind: 'peek', chars })
    return (await answer).text
  }

  async stopThreads(): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.terminate()))
  }

  #first(): Thread {
    const [first] = this.#threads
    if (first === undefined) throw new RangeError('a load generator needs at least one thread')
    return first
  }
}

type Answer<Kind extends FromWorker['kind']> = Extract<FromWorker, { kind: Kind }>

/** One load thread, its questions and answers. A thread that dies makes every open question fail. */
class Thread {
  onTick: (tick: LoadTick) => void = () => {}
  readonly #worker: Worker
  readonly #listeners = new Set<(message: FromWorker) => void>()
  readonly #died: Promise<never>

  constructor(setup: { target: LoadTarget; prompts: PromptSource; worker: number }) {
    this.#worker = new Worker(workerUrl, { workerData: setup, name: `load ${setup.worker}` })
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'tick') this.onTick(message.tick)
      else for (const listener of this.#listeners) listener(message)
    })
    this.#died = new Promise((_, reject) => {
      this.#worker.on('error', reject)
      this.#worker.on('exit', code => reject(new Error(`load thread ${setup.worker} ended (${code})`)))
    })
    this.#died.catch(() => {})
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  /** The next message of a kind that fits. */
  answer<Kind extends FromWorker['kind']>(
    kind: Kind,
    fits: (message: Answer<Kind>) => boolean = () => true,
  ): Promise<Answer<Kind>> {
    const answered = new Promise<Answer<Kind>>(resolve => {
      const listener = (message: FromWorker) => {
        if (!isKind(message, kind) || !fits(message)) return
        this.#listeners.delete(listener)
        resolve(message)
      }
      this.#listeners.add(listener)
    })
    return Promise.race([answered, this.#died])
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }
}

function isKind<Kind extends FromWorker['kind']>(message: FromWorker, kind: Kind): message is Answer<Kind> {
  return message.kind === kind
}
