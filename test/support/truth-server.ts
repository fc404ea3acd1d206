// A scripted SGLang-shaped server with a known truth: every stream gets exactly `rate` tokens a second, from its first
// token on, by absolute deadlines. It shares no code with tokgrid or its simulator, and runs in a process of its own:
//   node test/support/truth-server.ts '{"rate": 100}'   prints its url
//   GET /truth                   tells what it did
//   GET /sent?from=…&to=…        what it wrote in [from, to), ms since the epoch by its own clock
import { createServer, type ServerResponse } from 'node:http'

type Options = {
  /** Tokens a second of each stream. */
  readonly rate: number
  readonly tokensPerChunk: number
  /** Chunks that leave together, in one write: a server that sends in batches can outrun any client. */
  readonly chunksPerWrite: number
  readonly ttftMs: number
  readonly usage: 'continuous' | 'final' | 'none'
  /** `synchronised`: all streams get their chunks at the same moments, as a batch does; `free`: each by its own start. */
  readonly steps: 'free' | 'synchronised'
  /** Chunks leave within microseconds of their time, at the cost of a core; else within a millisecond or two. */
  readonly isPrecise: boolean
  /** Chunks give the moment of their sending, tenths of ms since the epoch, as `created`: a reader's delay can be told. */
  readonly tellsSendTime: boolean
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
  chunksPerWrite: 1,
  ttftMs: 5,
  usage: 'continuous',
  steps: 'free',
  isPrecise: false,
  tellsSendTime: false,
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
  /** When its next chunk leaves. */
  dueAt: number
  sent: number
  aborted: boolean
}

const stepMs = ((options.tokensPerChunk * options.chunksPerWrite) / options.rate) * 1000
const running = new Set<Stream>()
const waiting: Stream[] = []
const truth = { requests: 0, tokens: 0, aborts: 0, mostRunning: 0 }
/** Every write that left: when, and what was in it. */
const log = { at: [] as number[], chunks: [] as number[], tokens: [] as number[] }

function admit(): void {
  while (running.size < options.maxRunning) {
    const stream = waiting.shift()
    if (stream === undefined) return
    const first = performance.now() + options.ttftMs
    stream.startedAt = options.steps === 'free' ? first : Math.ceil(first / stepMs) * stepMs
    stream.dueAt = stream.startedAt
    running.add(stream)
    truth.mostRunning = Math.max(truth.mostRunning, running.size)
    wakeBy(stream.dueAt)
  }
}

let wakesAt = Number.POSITIVE_INFINITY
let timer: NodeJS.Timeout | undefined
let immediate: NodeJS.Immediate | undefined
/** A precise server sleeps until so shortly before a chunk is due, then looks again and again; ms. */
const watchfulMs = 2

function wakeBy(at: number): void {
  if (at >= wakesAt) return
  wakesAt = at
  clearTimeout(timer)
  clearImmediate(immediate)
  const early = options.isPrecise ? watchfulMs : 0
  const ms = at - performance.now() - early
  if (options.isPrecise && ms <= 0) immediate = setImmediate(sendDue)
  else timer = setTimeout(sendDue, Math.max(0, ms))
}

/** Sends what is due; a late timer catches up, so that the rate holds. */
function sendDue(): void {
  let next = Number.POSITIVE_INFINITY
  for (const stream of running) {
    if (stream.dueAt <= performance.now()) step(stream)
    if (running.has(stream)) next = Math.min(next, stream.dueAt)
  }
  wakesAt = Number.POSITIVE_INFINITY
  wakeBy(next)
}

function step(stream: Stream): void {
  if (stream.aborted || (stream.reply.destroyed && !options.zombies)) {
    finish(stream, 'abort')
    return
  }
  let chunks =
    stream.sent === 0 ? event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }) : ''
  const before = stream.sent
  const count = Math.min(
    options.chunksPerWrite,
    Math.ceil((stream.maxTokens - before) / options.tokensPerChunk),
  )
  for (let chunk = 0; chunk < count; chunk++) chunks += nextChunk(stream)
  stream.dueAt = stream.startedAt + (stream.sent / options.rate) * 1000
  truth.tokens += stream.sent - before
  log.at.push(performance.now())
  log.chunks.push(count)
  log.tokens.push(stream.sent - before)
  write(stream, chunks)
  if (stream.sent >= stream.maxTokens) finish(stream, 'length')
}

/** By hand, not by JSON.stringify: the server should cost as little as it can. */
function nextChunk(stream: Stream): string {
  const tokens = Math.min(options.tokensPerChunk, stream.maxTokens - stream.sent)
  stream.sent += tokens
  const told = options.usage === 'continuous' ? `,"usage":${usageText(stream)}` : ''
  const created = options.tellsSendTime
    ? `"created":${Math.round(10 * (performance.timeOrigin + performance.now()))},`
    : ''
  // The count keeps the text from repeating itself.
  const text = ` ${stream.sent}`.padEnd(5 * tokens, ' word')
  return `data: {"object":"chat.completion.chunk",${created}"choices":[{"index":0,"delta":{"content":"${text}"}}]${told}}\n\n`
}

function finish(stream: Stream, reason: string): void {
  running.delete(stream)
  const last = options.usage === 'none' ? '' : event({ choices: [], usage: JSON.parse(usageText(stream)) })
  write(stream, event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }) + last)
  stream.reply.end('data: [DONE]\n\n')
  admit()
}

function event(chunk: object): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...chunk })}\n\n`
}

function write({ reply }: Stream, events: string): void {
  if (!reply.destroyed) reply.write(events)
}

function usageText({ promptTokens, sent }: Stream): string {
  return `{"prompt_tokens":${promptTokens},"completion_tokens":${sent},"total_tokens":${promptTokens + sent}}`
}

/** Chunks and tokens that left in [from, to), ms since the epoch. */
function sentBetween(from: number, to: number): { readonly chunks: number; readonly tokens: number } {
  const [first, end] = [from - performance.timeOrigin, to - performance.timeOrigin]
  const total = { chunks: 0, tokens: 0 }
  for (const [index, at] of log.at.entries()) {
    if (at < first || at >= end) continue
    total.chunks += log.chunks[index] ?? 0
    total.tokens += log.tokens[index] ?? 0
  }
  return total
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
    dueAt: 0,
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
  const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://truth')
  let body = ''
  request.on('data', bytes => {
    body += bytes
  })
  request.on('end', () => {
    if (path === '/v1/chat/completions') return generate(JSON.parse(body), reply)
    if (path === '/truth') return json(reply, { ...truth, running: running.size, waiting: waiting.length })
    if (path === '/sent')
      return json(reply, sentBetween(Number(searchParams.get('from')), Number(searchParams.get('to'))))
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
