import type { FinishReason } from '../engine/sim-request.ts'
import type { EventStream } from './event-stream.ts'
import { type Answer, type GenerationReply, matchedStop, usageJson } from './generation-reply.ts'

/** Chunks of an OpenAI stream, built of strings: only text and usage differ from one to the next. */
class Chunks {
  readonly #stream: EventStream
  readonly #answer: Answer
  readonly #head: string
  readonly #logprobs: string
  readonly #noUsage: string

  constructor(stream: EventStream, answer: Answer, object: string) {
    const { asked, created, dialect } = answer
    this.#stream = stream
    this.#answer = answer
    const names = JSON.stringify({ id: asked.rid, object, created, model: asked.model })
    this.#head = `${names.slice(0, -1)},"choices":[`
    this.#logprobs = dialect.nullFields ? ',"logprobs":null' : ''
    this.#noUsage = dialect.nullFields ? ',"usage":null' : ''
  }

  /** A chunk with `content`; `tokens` = those sent so far, null for a chunk that never carries usage. */
  send(content: string, finish: FinishReason | null, tokens: number | null): void {
    const usage = tokens !== null && this.#answer.asked.continuousUsage ? this.#usage(tokens) : this.#noUsage
    const reason = finish === null ? 'null' : `"${finish}"`
    this.#stream.send(
      `${this.#head}{"index":0,${content}${this.#logprobs},"finish_reason":${reason}` +
        `,"matched_stop":${matchedStop(finish)}}]${usage}}`,
    )
  }

  end(tokens: number): void {
    if (this.#answer.asked.includeUsage) this.#stream.send(`${this.#head}]${this.#usage(tokens)}}`)
    this.#stream.end()
  }

  #usage(tokens: number): string {
    return `,"usage":${usageJson(this.#answer, tokens)}`
  }
}

/** A stream of text, whose last chunk carries the reason. */
export function completionStream(stream: EventStream, answer: Answer): GenerationReply {
  const chunks = new Chunks(stream, answer, 'text_completion')
  let sent = 0
  return ({ tokens, finish }) => {
    sent += tokens
    chunks.send(`"text":${JSON.stringify(answer.text(tokens))}`, finish, sent)
    if (finish !== null) chunks.end(sent)
  }
}

/** A stream of the role, then thoughts, then the answer, then the reason; a step that gives no text gives no chunk. */
export function chatStream(stream: EventStream, answer: Answer): GenerationReply {
  const { asked, text, dialect } = answer
  const chunks = new Chunks(stream, answer, 'chat.completion.chunk')
  const deltas = dialect.nullFields ? fullDeltas : sparseDeltas
  let begun = false
  let sent = 0
  let thoughts = ''

  function think(tokens: number, isLast: boolean): void {
    thoughts += text(tokens)
    sent += tokens
    if (thoughts === '' || !(asked.streamReasoning || isLast || sent === asked.reasoningTokens)) return
    chunks.send(deltas.thought(JSON.stringify(thoughts)), null, sent)
    thoughts = ''
  }

  function say(tokens: number): void {
    sent += tokens
    const said = text(tokens)
    if (said !== '') chunks.send(deltas.content(JSON.stringify(said)), null, sent)
  }

  return ({ tokens, finish }) => {
    // SGLang sends the role with the first output, not when it takes the request in.
    if (!begun) chunks.send(deltas.role, null, null)
    begun = true
    const thinking = Math.min(tokens, Math.max(0, asked.reasoningTokens - sent))
    if (thinking > 0 || thoughts !== '') think(thinking, finish !== null)
    if (tokens > thinking) say(tokens - thinking)
    if (finish === null) return
    chunks.send(deltas.end, finish, null)
    chunks.end(sent)
  }
}

/** The deltas of a chat stream; texts come in as JSON. */
type Deltas = {
  readonly role: string
  readonly thought: (text: string) => string
  readonly content: (text: string) => string
  readonly end: string
}

const sparseDeltas: Deltas = {
  role: '"delta":{"role":"assistant","content":""}',
  thought: text => `"delta":{"reasoning_content":${text}}`,
  content: text => `"delta":{"content":${text}}`,
  end: '"delta":{}',
}

const fullDeltas: Deltas = {
  role: '"delta":{"role":"assistant","content":"","reasoning_content":null,"tool_calls":null}',
  thought: text => `"delta":{"role":null,"content":null,"reasoning_content":${text},"tool_calls":null}`,
  content: text => `"delta":{"role":null,"content":${text},"reasoning_content":null,"tool_calls":null}`,
  end: '"delta":{"role":null,"content":null,"reasoning_content":null,"tool_calls":null}',
}
