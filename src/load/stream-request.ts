import { performance } from 'node:perf_hooks'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import type { Dispatcher } from 'undici'
import type { RequestFailure } from '../domain/failure.ts'
import type { RequestOutcome, RequestPurpose, RequestTrace } from '../domain/request-trace.ts'
import { type ChatChunk, errorMessage, parseObject, readChatChunk } from './chat-chunk.ts'
import type { LoadTarget } from './messages.ts'
import { OutputTail } from './output-tail.ts'
import { TokenMeter } from './token-meter.ts'
import type { WindowCounter } from './window-counter.ts'

export type RequestPlan = {
  readonly rid: string
  readonly purpose: RequestPurpose
  readonly stream: number
  readonly maxTokens: number
  readonly promptChars: number
  readonly body: Buffer
}

export type RequestHooks = {
  readonly counter: () => WindowCounter | null
  readonly onTokens: (tokens: number) => void
  /** TTFT in ms. */
  readonly onFirstToken: (ttftMs: number) => void
  readonly onEnd: (trace: RequestTrace) => void
  /** Reads a chunk as `readChatChunk` does, which it is when absent. */
  readonly readChunk?: (data: string) => ChatChunk | null
  /** The data of each event, before it is read. */
  readonly onEvent?: (at: number, data: string) => void
}

/** An event larger than this is no chat chunk; characters. */
const longestEvent = 4 * 1024 * 1024
const longestErrorBody = 64 * 1024
const longestMessage = 300

/** One streamed request over one connection: stamps, counts, and says how it ended. Never throws, ends exactly once. */
export class StreamRequest implements Dispatcher.DispatchHandler {
  readonly plan: RequestPlan
  writtenAt: number | null = null
  readonly #ending = Promise.withResolvers<void>()
  /** Resolves when the request has ended, in whatever way. */
  readonly ended = this.#ending.promise
  readonly meter = new TokenMeter()
  readonly tail = new OutputTail()
  readonly #hooks: RequestHooks
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #isEventStream = false
  #location = ''
  #errorBody = ''
  #finishReason: string | null = null
  #isDone = false
  #failure: RequestFailure | null = null
  #isCut = false
  #hasEnded = false
  /** When the bytes came that are being parsed. */
  #arrivedAt = 0

  constructor(plan: RequestPlan, hooks: RequestHooks) {
    this.plan = plan
    this.#hooks = hooks
    this.#parser = createParser({
      maxBufferSize: longestEvent,
      onEvent: ({ data }) => this.#event(data),
      onError: error => {
        if (error.type === 'max-buffer-size-exceeded')
          this.#fail({ kind: 'protocol', message: 'an event of more than 4 MiB' })
      },
    })
  }

  send(client: Dispatcher, target: LoadTarget): void {
    const { origin, path, headers } = target
    client.dispatch(
      {
        origin,
        method: 'POST',
        path,
        headers: { ...headers, 'content-type': 'application/json' },
        body: this.plan.body,
      },
      this,
    )
  }

  /**
   * We end this request: what comes after is not a failure of the server. The connection stays open until `hangUp`; a
   * request that is not written yet never will be.
   */
  cutOff(): void {
    this.#isCut = this.#failure === null
    if (this.writtenAt === null) this.hangUp()
  }

  /** Whether it has now been silent for too long. Then it has failed, and is to be aborted. True once. */
  timesOut(
    now: number,
    { firstTokenTimeoutMs, stallTimeoutMs }: Pick<LoadTarget, 'firstTokenTimeoutMs' | 'stallTimeoutMs'>,
  ): boolean {
    if (this.writtenAt === null || this.#isCut || this.#failure !== null) return false
    const { lastTokenAt } = this.meter
    const afterMs = now - (lastTokenAt ?? this.writtenAt)
    if (afterMs <= (lastTokenAt === null ? firstTokenTimeoutMs : stallTimeoutMs)) return false
    const waitedFor = lastTokenAt === null ? 'first-token' : 'next-token'
    this.#failure = { kind: 'timeout', waitedFor, afterMs }
    return true
  }

  /** The connection broke before a byte of the answer came. */
  get isUnanswered(): boolean {
    return this.#status === 0 && this.#failure?.kind === 'stream-broken'
  }

  hangUp(): void {
    if (this.#hasEnded) return
    this.#controller?.abort(new Error('closed by the client'))
    this.#end()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // undici calls this right before it writes the head of the request to the open socket.
    if (this.#hasEnded) controller.abort(new Error('ended before it was written'))
    else this.writtenAt = performance.now()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#isEventStream = /text\/event-stream/i.test(String(headers['content-type']))
    this.#location = String(headers.location ?? '')
    const encoding = String(headers['content-encoding'] ?? '')
    if (!['', 'identity'].includes(encoding))
      this.#fail({
        kind: 'protocol',
        message: `HTTP ${status}, compressed (${encoding.slice(0, 20)}), which was not asked for`,
      })
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    const at = performance.now()
    if (this.#hasEnded) return
    const text = this.#decoder.decode(bytes, { stream: true })
    if (this.#status === 200 && this.#isEventStream) {
      this.#arrivedAt = at
      this.#parser.feed(text)
    } else if (this.#errorBody.length < longestErrorBody) this.#errorBody += text
    else this.#fail({ kind: 'protocol', message: `HTTP ${this.#status} with an endless body` })
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
    const message = (code === '' ? error.message : `${code} ${error.message}`).slice(0, longestMessage)
    this.#failure ??=
      this.writtenAt === null ? { kind: 'connect', message } : { kind: 'stream-broken', message }
    this.#end()
  }

  #event(data: string): void {
    // Some proxies keep a stream awake by events without data.
    if (this.#hasEnded || data === '') return
    this.#hooks.onEvent?.(this.#arrivedAt, data)
    if (data === '[DONE]') {
      this.#isDone = true
      return
    }
    const chunk = (this.#hooks.readChunk ?? readChatChunk)(data)
    if (chunk === null) this.#fail({ kind: 'protocol', message: `not JSON: ${data.slice(0, 80)}` })
    else if (chunk.error !== null)
      this.#fail({ kind: 'server-error', message: chunk.error.slice(0, longestMessage) })
    else this.#chunk(chunk)
  }

  #chunk(chunk: ChatChunk): void {
    this.#finishReason = chunk.finishReason ?? this.#finishReason
    const isFirst = this.meter.firstTokenAt === null
    const tokens = this.meter.observe(this.#arrivedAt, chunk, this.#hooks.counter())
    if (tokens > 0) this.#hooks.onTokens(tokens)
    this.tail.add(chunk.text)
    if (isFirst && this.meter.firstTokenAt !== null && this.writtenAt !== null)
      this.#hooks.onFirstToken(this.meter.firstTokenAt - this.writtenAt)
  }

  #fail(failure: RequestFailure): void {
    this.#failure ??= failure
    this.hangUp()
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { rid, purpose, stream, maxTokens, promptChars } = this.plan
    this.#hooks.onEnd({
      rid,
      purpose,
      stream,
      maxTokens,
      promptChars,
      writtenAt: this.writtenAt,
      endedAt: performance.now(),
      outcome: this.#outcome(),
      loop: this.tail.loop,
      ...this.meter.result(),
    })
    this.#ending.resolve()
  }

  #outcome(): RequestOutcome {
    const isComplete = this.#finishReason !== null && this.#finishReason !== 'abort'
    if (isComplete && this.#failure === null) return { kind: 'completed' }
    if (this.#isCut) return { kind: 'cut-off' }
    return { kind: 'failed', failure: this.#failure ?? this.#unfinished() }
  }

  /** The answer came to its end without a failure of its own, but it is not a finished stream. */
  #unfinished(): RequestFailure {
    if (this.#status !== 200) {
      const body = parseObject(this.#errorBody)
      const words = (body === null ? null : errorMessage(body)) ?? this.#errorBody
      const message = words === '' && this.#location !== '' ? `it leads to ${this.#location}` : words
      return { kind: 'http-status', status: this.#status, message: message.slice(0, longestMessage) }
    }
    if (!this.#isEventStream) return { kind: 'protocol', message: 'the answer is not an event stream' }
    if (this.#finishReason === 'abort')
      return { kind: 'server-error', message: 'the server aborted the request' }
    return { kind: 'stream-broken', message: this.#isDone ? 'no finish reason' : 'it ended without [DONE]' }
  }
}
