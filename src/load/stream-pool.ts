import { performance } from 'node:perf_hooks'
import type { Dispatcher } from 'undici'
import type { LoadTick } from '../domain/load-record.ts'
import type { RequestPurpose, RequestTrace } from '../domain/request-trace.ts'
import { ChunkReader } from './chunk-reader.ts'
import type { AssignedStream, LoadTarget } from './messages.ts'
import { connectionTo, openConnection } from './open-connection.ts'
import { type PromptSource, promptText } from './prompt.ts'
import { RequestBody } from './request-body.ts'
import { StreamRequest } from './stream-request.ts'
import type { WindowCounter } from './window-counter.ts'

/** Pause before a stream tries again after a failure, doubled each time. */
const retryMs = { first: 250, longest: 4000 }

type Stream = {
  readonly plan: AssignedStream
  readonly body: RequestBody
  readonly promptChars: number
  client: Dispatcher
  /** The connection has carried an answer before: the server may have closed it since. */
  isReused: boolean
  request: StreamRequest | null
  failuresInRow: number
  hadToken: boolean
}

export type PoolOptions = {
  readonly target: LoadTarget
  readonly prompts: PromptSource
  readonly nextRid: () => string
  readonly counter: () => WindowCounter | null
  readonly onEnd: (request: StreamRequest) => void
}

/** Holds the streams of a cell open: a request that ends is replaced at once, one that fails after a pause. */
export class StreamPool {
  readonly #options: PoolOptions
  readonly #maxTokens: number
  readonly #streams: readonly Stream[]
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #reader = new ChunkReader()
  readonly #readChunk = (data: string) => this.#reader.read(data)
  #isOpen = true
  #lastTickAt = 0
  #tokens = 0
  #chunks = 0
  #ttftMs: number[] = []
  #ended: RequestTrace[] = []

  constructor(plans: readonly AssignedStream[], maxTokens: number, options: PoolOptions) {
    this.#options = options
    this.#maxTokens = maxTokens
    this.#streams = plans.map(plan => {
      const prompt = promptText(options.prompts, plan.prompt)
      return {
        plan,
        body: new RequestBody(options.target, prompt),
        promptChars: prompt.length,
        client: connectionTo(options.target),
        isReused: true,
        request: null,
        failuresInRow: 0,
        hadToken: false,
      }
    })
  }

  async open(): Promise<void> {
    await Promise.all(this.#streams.map(({ client }) => openConnection(client, this.#options.target)))
  }

  start(): void {
    this.#lastTickAt = performance.now()
    for (const stream of this.#streams) this.#send(stream, 'launch', stream.plan.firstMaxTokens)
  }

  /** The requests that are under way. */
  requests(): readonly StreamRequest[] {
    return this.#streams.flatMap(({ request }) => (request === null ? [] : [request]))
  }

  /** The last characters of the first stream's answer; `null` while it has none. */
  peek(chars: number): string | null {
    return this.#streams[0]?.request?.tail.last(chars) ?? null
  }

  /** No replacement is sent from now on. */
  stop(): void {
    this.#isOpen = false
    for (const retry of this.#retries) clearTimeout(retry)
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#streams.map(({ client }) => client.destroy()))
  }

  /** What happened since the last tick. */
  tick(now: number): LoadTick {
    const requests = this.requests()
    const waiting = requests.filter(
      ({ writtenAt, meter }) => writtenAt !== null && meter.firstTokenAt === null,
    ).length
    const tick = {
      at: now,
      spanMs: now - this.#lastTickAt,
      tokens: this.#tokens,
      chunks: this.#chunks,
      started: this.#streams.filter(({ hadToken }) => hadToken).length,
      active: requests.filter(({ meter }) => meter.firstTokenAt !== null).length,
      waiting,
      ttftMs: this.#ttftMs,
      ended: this.#ended,
    }
    this.#lastTickAt = now
    this.#tokens = 0
    this.#chunks = 0
    this.#ttftMs = []
    this.#ended = []
    return tick
  }

  #send(stream: Stream, purpose: RequestPurpose, maxTokens: number): void {
    const { target, nextRid, counter } = this.#options
    const rid = nextRid()
    stream.body.set(rid, maxTokens)
    const request = new StreamRequest(
      {
        rid,
        purpose,
        stream: stream.plan.index,
        maxTokens,
        promptChars: stream.promptChars,
        body: stream.body.bytes,
      },
      {
        counter,
        readChunk: this.#readChunk,
        onTokens: tokens => {
          this.#tokens += tokens
          this.#chunks += 1
        },
        onFirstToken: ttftMs => {
          stream.hadToken = true
          this.#ttftMs.push(ttftMs)
        },
        onEnd: trace => {
          this.#options.onEnd(request)
          const isStale = stream.isReused && request.isUnanswered
          if (this.#isOpen && isStale) this.#sendAgain(stream, purpose, maxTokens)
          else this.#onEnd(stream, trace)
        },
      },
    )
    stream.request = request
    request.send(stream.client, target)
  }

  /**
   * The server had closed the idle connection (some do after every answer); the request never reached it and is no
   * failure. RFC 9112, 9.3.1 lets a client send it once more.
   */
  #sendAgain(stream: Stream, purpose: RequestPurpose, maxTokens: number): void {
    this.#reconnect(stream)
    this.#send(stream, purpose, maxTokens)
  }

  #reconnect(stream: Stream): void {
    void stream.client.destroy()
    stream.client = connectionTo(this.#options.target)
    stream.isReused = false
  }

  #onEnd(stream: Stream, trace: RequestTrace): void {
    this.#ended.push(trace)
    stream.request = null
    if (!this.#isOpen) return
    if (trace.outcome.kind === 'completed') {
      stream.failuresInRow = 0
      stream.isReused = true
      // Not inside undici's callback: the connection is free only after it.
      queueMicrotask(() => {
        if (this.#isOpen) this.#send(stream, 'steady', this.#maxTokens)
      })
      return
    }
    const pause = Math.min(retryMs.longest, retryMs.first * 2 ** stream.failuresInRow)
    stream.failuresInRow += 1
    const retry = setTimeout(() => {
      this.#retries.delete(retry)
      this.#reconnect(stream)
      if (stream.hadToken) this.#send(stream, 'steady', this.#maxTokens)
      else this.#send(stream, 'launch', stream.plan.firstMaxTokens)
    }, pause)
    this.#retries.add(retry)
  }
}
