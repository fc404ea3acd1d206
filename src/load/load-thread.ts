import { performance } from 'node:perf_hooks'
import type { RequestTrace } from '../domain/request-trace.ts'
import type { SingleRequest } from '../domain/step.ts'
import { abortRequests } from './abort.ts'
import type { FinalUsage, FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { connectionTo } from './open-connection.ts'
import { promptText } from './prompt.ts'
import { RequestBody, ridLength } from './request-body.ts'
import { StreamPool } from './stream-pool.ts'
import { StreamRequest } from './stream-request.ts'
import { WindowCounter } from './window-counter.ts'

/** Ticks for live figures, and how often silent requests are looked for. */
const tickMs = 200

/** What one load thread does with the messages it gets. Holds one cell's streams or one batch of single requests. */
export class LoadThread {
  readonly #setup: WorkerSetup
  readonly #reply: (message: FromWorker) => void
  readonly #singles = new Set<StreamRequest>()
  /** What is under way beside the streams: batches of single requests, aborts of silent ones. */
  #tasks: Promise<void>[] = []
  #acceptsSingles = true
  #preparing: Promise<void> = Promise.resolve()
  #pool: StreamPool | null = null
  #counter: WindowCounter | null = null
  #ticker: NodeJS.Timeout | null = null
  #requests = 0
  #usageBefore: FinalUsage = { tokens: 0, chunks: 0 }

  constructor(setup: WorkerSetup, reply: (message: FromWorker) => void) {
    this.#setup = setup
    this.#reply = reply
  }

  async handle(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'send':
        this.#acceptsSingles = true
        this.#tasks.push(this.#sendAll(message.id, message.requests, message.atOnce))
        return
      case 'prepare':
        this.#pool = new StreamPool(message.streams, message.maxTokens, {
          ...this.#setup,
          nextRid: () => this.#nextRid(),
          counter: () => this.#counter,
          onEnd: request => this.#learn(request),
        })
        this.#preparing = this.#pool.open()
        await this.#preparing
        this.#reply({ kind: 'prepared' })
        return
      case 'start':
        // Without a pool the cell was closed while its connections were being opened.
        if (this.#pool === null) return
        this.#pool.start()
        this.#ticker = setInterval(() => this.#tick(), tickMs)
        return
      case 'open-window':
        this.#counter = new WindowCounter(message.window, performance.now())
        return
      case 'close':
        await this.#close()
        return
      case 'peek':
        this.#reply({ kind: 'peeked', text: this.#pool?.peek(message.chars) ?? null })
        return
      default:
        message satisfies never
    }
  }

  #tick(): void {
    if (this.#pool === null) return
    this.#giveUpSilent(this.#pool.requests())
    this.#reply({ kind: 'tick', tick: this.#pool.tick(performance.now()) })
  }

  #giveUpSilent(requests: Iterable<StreamRequest>): void {
    const { target } = this.#setup
    const now = performance.now()
    const silent = [...requests].filter(request => request.timesOut(now, target))
    if (silent.length > 0) this.#tasks.push(abortRequests(silent, target))
  }

  /** Each of `atOnce` lanes sends one request after the other, each over a connection of its own: some servers close them. */
  async #sendAll(id: number, requests: readonly SingleRequest[], atOnce: number): Promise<void> {
    const traces: RequestTrace[] = []
    const waiting = [...requests]
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined && this.#acceptsSingles; next = waiting.shift())
        await this.#sendOne(next, trace => traces.push(trace))
    }
    const watch = setInterval(() => this.#giveUpSilent(this.#singles), tickMs)
    await Promise.all(Array.from({ length: Math.min(atOnce, requests.length) }, lane))
    clearInterval(watch)
    this.#reply({ kind: 'sent', id, traces })
  }

  async #sendOne(
    { prompt, purpose, maxTokens }: SingleRequest,
    onEnd: (trace: RequestTrace) => void,
  ): Promise<void> {
    const { target, prompts } = this.#setup
    const text = promptText(prompts, prompt)
    const body = new RequestBody(target, text)
    const rid = this.#nextRid()
    body.set(rid, maxTokens)
    const request = new StreamRequest(
      { rid, purpose, stream: prompt.stream, maxTokens, promptChars: text.length, body: body.bytes },
      { counter: () => null, onTokens: () => {}, onFirstToken: () => {}, onEnd },
    )
    const client = connectionTo(target)
    this.#singles.add(request)
    request.send(client, target)
    await request.ended
    this.#learn(request)
    this.#singles.delete(request)
    await client.destroy()
  }

  /** What chunks are worth. The first of an answer holds one token, whatever the others hold. */
  #learn({ plan, meter: { finalUsage } }: StreamRequest): void {
    if (finalUsage === null || plan.maxTokens === 1) return
    const { tokens, chunks } = this.#usageBefore
    this.#usageBefore = { tokens: tokens + finalUsage.tokens, chunks: chunks + finalUsage.chunks }
  }

  async #close(): Promise<void> {
    const pool = this.#pool
    const endedAt = performance.now()
    this.#pool = null
    this.#acceptsSingles = false
    if (this.#ticker !== null) clearInterval(this.#ticker)
    pool?.stop()
    const underWay = [...this.#singles, ...(pool?.requests() ?? [])]
    for (const request of underWay) request.cutOff()
    await abortRequests(underWay, this.#setup.target)
    await Promise.all(this.#tasks)
    await pool?.destroy()
    await this.#preparing
    const counts = this.#counter?.close(endedAt) ?? null
    const cutOff = pool?.tick(performance.now()).ended ?? []
    this.#reply({ kind: 'closed', counts, cutOff, usageBefore: this.#usageBefore })
    this.#tasks = []
    this.#counter = null
    this.#ticker = null
  }

  /** Unique for the run and of fixed width: SGLang aborts every rid that begins with the one it is given. */
  #nextRid(): string {
    const { prompts, worker } = this.#setup
    const thread = String(worker).padStart(3, '0')
    const request = String(this.#requests++).padStart(9, '0')
    return `tg${prompts.nonce.slice(0, 8).padEnd(8, '0')}-${thread}-${request}`.slice(0, ridLength)
  }
}
