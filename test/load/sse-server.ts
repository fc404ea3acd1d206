import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { portOf } from '../support/own-server.ts'
import { Arrivals } from './arrivals.ts'

/** One generation request that the server holds; the test decides what is written to it, and when. */
export type HeldStream = {
  readonly body: { readonly rid?: string; readonly max_tokens: number }
  readonly socket: Socket
  readonly reply: ServerResponse
  /** Resolves when the exchange is over on the server's side, in whatever way. */
  readonly closed: Promise<void>
  /** Writes the data of an event: an object as JSON, a text as it is. */
  event(data: object | string): void
  /** A chunk of text, with the usage so far where a count is given. */
  text(content: string, completionTokens?: number): void
  /** The finish chunk, the usage where a count is given, `[DONE]`, the end. */
  finish(reason?: string, completionTokens?: number): void
}

export type SseServer = {
  readonly origin: string
  readonly streams: Arrivals<HeldStream>
  /** Connections that a client holds open now. */
  readonly sockets: ReadonlySet<Socket>
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>
}

export type Hooks = {
  /** Answers an abort of a stream; by default the stream ends with the finish reason `abort`, as SGLang's do. */
  readonly onAbort?: (stream: HeldStream, reply: ServerResponse) => void
  /** Answers the cheap GET that opens a connection; by default at once with 200. */
  readonly onOpen?: (reply: ServerResponse) => void
}

const ok = (reply: ServerResponse): void => {
  reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

function endGracefully(stream: HeldStream, reply: ServerResponse): void {
  stream.finish('abort')
  ok(reply)
}

/** A server whose every chunk is written by the test. Closed with its test. */
export async function sseServer({ onAbort = endGracefully, onOpen = ok }: Hooks = {}): Promise<SseServer> {
  const streams = new Arrivals<HeldStream>()
  const sockets = new Set<Socket>()
  const server = createServer(async (request, reply) => {
    if (request.method === 'GET') return onOpen(reply)
    let sent = ''
    for await (const bytes of request) sent += bytes
    const body = JSON.parse(sent)
    if (request.url !== '/abort_request') return streams.add(held(body, request, reply))
    const stream = streams.all.find(({ body: { rid } }) => rid === body.rid)
    if (stream === undefined || stream.reply.writableEnded) ok(reply)
    else onAbort(stream, reply)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await portOf(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    streams,
    sockets,
    allClosed: async () => {
      await Promise.all([...sockets].map(closing))
    },
  }
}

function held(body: HeldStream['body'], { socket }: IncomingMessage, reply: ServerResponse): HeldStream {
  const event = (data: object | string) => {
    if (!reply.headersSent) reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    reply.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  return {
    body,
    socket,
    reply,
    closed: closing(reply),
    event,
    text: (content, completionTokens) =>
      event({ choices: [{ index: 0, delta: { content } }], ...usage(completionTokens) }),
    finish: (reason = 'length', completionTokens) => {
      event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
      if (completionTokens !== undefined) event({ choices: [], ...usage(completionTokens) })
      event('[DONE]')
      reply.end()
    },
  }
}

function usage(completionTokens: number | undefined) {
  if (completionTokens === undefined) return {}
  return { usage: { prompt_tokens: 17, completion_tokens: completionTokens } }
}

function closing(stream: Socket | ServerResponse): Promise<void> {
  return new Promise(resolve => {
    stream.on('close', resolve)
  })
}
