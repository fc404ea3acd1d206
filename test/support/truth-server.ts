// A scripted SGLang-shaped server with a known truth: every stream gets exactly `rate` tokens a second, from its first
// token on, by absolute deadlines. It shares no code with tokgrid or its simulator, and runs in a process of its own:
//   node test/support/truth-server.ts '{"rate": 100}'   prints its url; GET /truth tells what it did.
import { createServer, type ServerResponse } from 'node:http'

type Options = {
  /** Tokens a second of each stream. */
  readonly rate: number
  readonly tokensPerChunk: number
  readonly ttftMs: number
  readonly usage: 'continuous' | 'final' | 'none'
  /** Streams that run at once; the rest waits. */
  readonly maxRunning: number
  readonly kvTokens: number
  readonly contextTokens: number
  /** Whether a request whose connection closed goes on, as a server without abort on disconnect would. */
  readonly zombies: boolean
  /** Whether it knows the endpoints of SGLang or only those of OpenAI. */
  readonly dialect: 'sglang' | 'openai'
  /** HTTP status that every generation gets instead of tokens; 0: none. */
  readonly failWith: number
}

const options: Options = {
  rate: 100,
  tokensPerChunk: 1,
  ttftMs: 5,
  usage: 'continuous',
  maxRunning: 10_000,
  kvTokens: 10_000_000,
  contextTokens: 131_072,
  zombies: false,
  dialect: 'sglang',
  failWith: 0,
  ...JSON.parse(process.argv[2] ?? '{}'),
}

type Stream = {
  readonly rid: string
  readonly promptTokens: number
  readonly maxTokens: number
  readonly reply: ServerResponse
  startedAt: number
  sent: number
  aborted: boolean
}

const running = new Set<Stream>()
const waiting: Stream[] = []
const truth = { requests: 0, tokens: 0, aborts: 0, mostRunning: 0 }

function admit(): void {
  while (running.size < options.maxRunning) {
    const stream = waiting.shift()
    if (stream === undefined) return
    stream.startedAt = performance.now() + options.ttftMs
    running.add(stream)
    truth.mostRunning = Math.max(truth.mostRunning, running.size)
    step(stream)
  }
}

/** Sends the next chunk when it is due; a late timer catches up, so that the rate holds. */
function step(stream: Stream): void {
  const dueAt = stream.startedAt + (stream.sent / options.rate) * 1000
  setTimeout(
    () => {
      if (!running.has(stream)) return
      if (stream.aborted || (stream.reply.destroyed && !options.zombies)) return finish(stream, 'abort')
      const tokens = Math.min(options.tokensPerChunk, stream.maxTokens - stream.sent)
      if (stream.sent === 0)
        write(stream, { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
      stream.sent += tokens
      truth.tokens += tokens
      write(stream, {
        choices: [{ index: 0, delta: { content: ' word'.repeat(tokens) } }],
        ...(options.usage === 'continuous' ? { usage: usage(stream) } : {}),
      })
      if (stream.sent >= stream.maxTokens) finish(stream, 'length')
      else step(stream)
    },
    Math.max(0, dueAt - performance.now()),
  )
}

function finish(stream: Stream, reason: string): void {
  running.delete(stream)
  write(stream, { choices: [{ index: 0, delta: {}, finish_reason: reason }] })
  if (options.usage !== 'none') write(stream, { choices: [], usage: usage(stream) })
  stream.reply.end('data: [DONE]\n\n')
  admit()
}

function write({ reply }: Stream, chunk: object): void {
  if (!reply.destroyed)
    reply.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...chunk })}\n\n`)
}

function usage({ promptTokens, sent }: Stream) {
  return { prompt_tokens: promptTokens, completion_tokens: sent, total_tokens: promptTokens + sent }
}

function generate(
  body: { rid?: string; max_tokens: number; messages: { content: string }[] },
  reply: ServerResponse,
): void {
  if (options.failWith > 0) {
    json(reply, { object: 'error', message: 'no', code: options.failWith }, options.failWith)
    return
  }
  truth.requests += 1
  reply.socket?.setNoDelay(true)
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  const promptTokens = Math.ceil((body.messages[0]?.content.length ?? 0) / 4)
  waiting.push({
    rid: body.rid ?? '',
    promptTokens,
    maxTokens: body.max_tokens,
    reply,
    startedAt: 0,
    sent: 0,
    aborted: false,
  })
  admit()
}

function abort({ rid }: { rid: string }): void {
  truth.aborts += 1
  for (const stream of running) if (stream.rid.startsWith(rid)) stream.aborted = true
  const queued = waiting.findIndex(stream => stream.rid.startsWith(rid))
  for (const stream of queued < 0 ? [] : waiting.splice(queued, 1)) stream.reply.end('data: [DONE]\n\n')
}

function json(reply: ServerResponse, body: object, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const sglang: Record<string, () => object> = {
  '/server_info': () => ({
    version: '0.0.0-truth',
    max_total_num_tokens: options.kvTokens,
    max_running_requests: options.maxRunning,
    page_size: 1,
  }),
  '/v1/loads': () => ({
    loads: [
      {
        dp_rank: 0,
        num_running_reqs: running.size,
        num_waiting_reqs: waiting.length,
        num_used_tokens: [...running].reduce((sum, { promptTokens, sent }) => sum + promptTokens + sent, 0),
        max_total_num_tokens: options.kvTokens,
      },
    ],
  }),
}

const server = createServer((request, reply) => {
  const path = request.url ?? ''
  let body = ''
  request.on('data', bytes => {
    body += bytes
  })
  request.on('end', () => {
    if (path === '/v1/chat/completions') return generate(JSON.parse(body), reply)
    if (path === '/truth') return json(reply, { ...truth, running: running.size, waiting: waiting.length })
    if (path === '/v1/models')
      return json(reply, {
        object: 'list',
        data: [{ id: 'truth', max_model_len: options.contextTokens, owned_by: options.dialect }],
      })
    if (options.dialect === 'sglang') {
      if (path === '/abort_request') {
        abort(JSON.parse(body))
        return json(reply, {})
      }
      const answer = sglang[path]
      if (answer !== undefined) return json(reply, answer())
    }
    return json(reply, { detail: 'Not Found' }, 404)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
