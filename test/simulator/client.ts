import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { expect } from 'vitest'

/** What came back: all of it, or what there was when the connection broke. */
export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly ending: 'complete' | 'broken'
}

/** An answer under way. */
export type OpenAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Each read of the body so far. */
  readonly reads: readonly Buffer[]
  text(): string
  hangUp(): void
  readonly ended: Promise<Answer>
}

/** A bare client: one connection a request, nothing followed, nothing parsed. */
export class Client {
  readonly url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url
    this.#headers = headers
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, '', headers)
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' })
  }

  async send(method: string, path: string, body: string, headers: Readonly<Record<string, string>>) {
    return await (await this.#open(method, path, body, headers)).ended
  }

  /** Resolves when the head of the answer has come. */
  open(path: string, body: unknown): Promise<OpenAnswer> {
    return this.#open('POST', path, JSON.stringify(body), { 'content-type': 'application/json' })
  }

  async json(path: string) {
    return JSON.parse((await this.get(path)).text)
  }

  async faults(...faults: readonly string[]): Promise<void> {
    expect((await this.post('/simulator/faults', { faults })).status).toBe(200)
  }

  /** Requests that run now. */
  async running(): Promise<number> {
    return (await this.json('/v1/loads')).loads[0].num_running_reqs
  }

  /** A metric's value now; null when its series is not there. */
  async metric(name: string, label = ''): Promise<number | null> {
    return metric((await this.get('/metrics')).text, name, label)
  }

  #open(method: string, path: string, body: string, headers: Readonly<Record<string, string>>) {
    return new Promise<OpenAnswer>((resolve, reject) => {
      const options = { method, agent: false, headers: { ...this.#headers, ...headers } }
      const sent = request(this.url + path, options, response => resolve(openAnswer(sent, response)))
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

function openAnswer(sent: ClientRequest, response: IncomingMessage): OpenAnswer {
  const reads: Buffer[] = []
  const status = response.statusCode ?? 0
  const { headers } = response
  const text = () => Buffer.concat(reads).toString()
  response.on('data', (bytes: Buffer) => reads.push(bytes))
  const ended = new Promise<Answer>(resolve => {
    const end = (ending: Answer['ending']) => resolve({ status, headers, text: text(), ending })
    response.on('end', () => end('complete'))
    response.on('error', () => end('broken'))
  })
  return { status, headers, reads, text, hangUp: () => sent.destroy(), ended }
}

/** A chat request of some 160 tokens that runs to its length. */
export function chat(fields: object, prompt = 'hello '.repeat(100)): object {
  return { model: 'any', messages: [{ role: 'user', content: prompt }], ignore_eos: true, ...fields }
}

/** The same as a stream that tells usage all the time. */
export function chatStream(maxTokens: number, fields: object = {}): object {
  const usage = { include_usage: true, continuous_usage_stats: true }
  return chat({ stream: true, max_tokens: maxTokens, stream_options: usage, ...fields })
}

/** The JSON of each event of a stream that ended with [DONE]. */
export function events({ text }: Pick<Answer, 'text'>) {
  const frames = text.split('\n\n')
  expect(frames.slice(-2)).toEqual(['data: [DONE]', ''])
  return frames.slice(0, -2).map(frame => JSON.parse(frame.replace(/^data: /, '')))
}

/** How many chunks of text there are so far. */
export function contentChunks(text: string): number {
  return text.split('"content":" ').length - 1
}

/** The value of a series whose labels contain `label`; null when there is none. */
export function metric(page: string, name: string, label = ''): number | null {
  const line = page.split('\n').find(text => text.startsWith(`sglang:${name}{`) && text.includes(label))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}
