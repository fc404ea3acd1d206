import { once } from 'node:events'
import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { connectionTo } from '../../src/load/open-connection.ts'
import { WindowCounter } from '../../src/load/window-counter.ts'
import { targetAt } from '../support/load-target.ts'
import { ask } from './request.ts'
import { type HeldStream, sseServer } from './sse-server.ts'

/** Sends one request and hands the stream that the server got to the script. */
async function exchange(script: (stream: HeldStream) => void) {
  const { origin, streams } = await sseServer()
  const asked = ask(targetAt(origin))
  const stream = await streams.next()
  script(stream)
  return { trace: await asked.trace, asked, stream }
}

const chunk = (content: string, completionTokens: number) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  usage: { prompt_tokens: 17, completion_tokens: completionTokens },
})

test('a stream that ends well is completed, with its tokens and stamps in order', async () => {
  const { trace, asked } = await exchange(stream => {
    stream.event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
    stream.text('a', 1)
    stream.text('b', 4)
    stream.finish('length', 4)
  })
  expect(trace).toMatchObject({
    rid: asked.request.plan.rid,
    purpose: 'launch',
    maxTokens: 8,
    promptChars: 5,
    promptTokens: 17,
    outputTokens: 4,
    counting: 'continuous-usage',
    outcome: { kind: 'completed' },
    window: null,
  })
  const { writtenAt, firstTokenAt, lastTokenAt, endedAt } = trace
  const stamps = [writtenAt, firstTokenAt, lastTokenAt, endedAt]
  expect(stamps.map(Number)).toEqual(stamps.map(Number).sort((a, b) => a - b))
  expect(asked.tokens).toEqual([1, 3])
  expect(asked.ttftMs).toEqual([Number(firstTokenAt) - Number(writtenAt)])
})

test('a role chunk is not the first token', async () => {
  const { trace, asked } = await exchange(stream => {
    stream.event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
    stream.finish()
  })
  expect(trace).toMatchObject({ outcome: { kind: 'completed' }, firstTokenAt: null, outputTokens: 0 })
  expect(asked.ttftMs).toEqual([])
})

const frames = [
  ': a comment\r\n\r\n',
  `data: ${JSON.stringify(chunk('päron 🚄 \u{2028}x', 1))}\r\n\r\n`,
  `event: message\nid: 7\ndata: ${JSON.stringify(chunk('\n\n"', 3))}\n\n`,
  `data:${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })}\r\n\r\n`,
  'data: [DONE]\n\n',
].join('')

test.each([
  ['a stream', frames, { outcome: { kind: 'completed' }, outputTokens: 3 }],
  [
    'an error',
    'data: {"error":"päron 🚄 \u{2028}"}\n\n',
    { outcome: { failure: { kind: 'server-error', message: 'päron 🚄 \u{2028}' } } },
  ],
])('%s reads the same wherever its bytes are split', async (_, sent, expected) => {
  const { origin, streams } = await sseServer()
  const target = targetAt(origin)
  const client = connectionTo(target)
  const bytes = Buffer.from(sent)
  for (let split = 1; split < bytes.length; split++) {
    const { trace } = ask(target, { client })
    const { reply } = await streams.next()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    // Each write is an HTTP chunk of its own, which the client hands on by itself.
    reply.write(bytes.subarray(0, split))
    reply.end(bytes.subarray(split))
    expect(await trace, `split at ${split}`).toMatchObject(expected)
  }
})

test('events that come together have one stamp, and a gap of 0 between them', async () => {
  const { origin, streams } = await sseServer()
  const now = performance.now()
  const counter = new WindowCounter({ from: now - 1, to: now + 60_000, sliceMs: 1000 }, now)
  onTestFinished(() => void counter.close(now))
  const { trace } = ask(targetAt(origin), { counter })
  const { reply } = await streams.next()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.end(frames)
  const { window, firstTokenAt, lastTokenAt } = await trace
  expect(firstTokenAt).toBe(lastTokenAt)
  expect(window).toMatchObject({ chunks: 2, tokens: 3, firstAt: firstTokenAt, lastAt: lastTokenAt })
  expect(counter.close(performance.now())?.gaps).toEqual([[0, 1]])
})

test('a finished stream without [DONE] is completed', async () => {
  const { trace } = await exchange(stream => {
    stream.text('a', 1)
    stream.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    stream.reply.end()
  })
  expect(trace.outcome).toEqual({ kind: 'completed' })
})

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
test.each([
  [
    400,
    json,
    '{"object":"error","message":"The input is too long.","type":"BadRequest","code":400}',
    'The input is too long.',
  ],
  [
    400,
    json,
    '{"error":{"message":"max_tokens must be at least 1","code":400}}',
    'max_tokens must be at least 1',
  ],
  [401, json, '{"error":"Unauthorized"}', 'Unauthorized'],
  [404, json, '{"detail":"Not Found"}', '{"detail":"Not Found"}'],
  [502, html, '<html>Bad Gateway</html>', '<html>Bad Gateway</html>'],
  [503, json, '', ''],
  [307, { location: '/elsewhere' }, '', 'it leads to /elsewhere'],
  [308, {}, 'moved', 'moved'],
])(
  'HTTP %i is a failure with its status and the words of the server',
  async (status, headers, body, message) => {
    const { trace } = await exchange(({ reply }) => reply.writeHead(status, headers).end(body))
    expect(trace).toMatchObject({
      outcome: { kind: 'failed', failure: { kind: 'http-status', status, message } },
      outputTokens: 0,
      firstTokenAt: null,
    })
  },
)

test('the type of an event stream is read in any case', async () => {
  const { trace } = await exchange(({ reply }) =>
    reply.writeHead(200, { 'content-type': 'Text/Event-Stream' }).end(frames),
  )
  expect(trace.outcome).toEqual({ kind: 'completed' })
})

test('an event without data is no chunk: some proxies keep a stream awake by them', async () => {
  const { trace } = await exchange(stream => {
    stream.event('')
    stream.text('a', 1)
    stream.event('')
    stream.finish('length', 1)
  })
  expect(trace).toMatchObject({ outcome: { kind: 'completed' }, outputTokens: 1 })
})

test.each([200, 429])('HTTP %i with a compressed answer says so', async status => {
  const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
  const { trace } = await exchange(({ reply }) => reply.writeHead(status, headers).end(gzipSync(frames)))
  const failure = { kind: 'protocol', message: `HTTP ${status}, compressed (gzip), which was not asked for` }
  expect(trace.outcome).toEqual({ kind: 'failed', failure })
})

test('an answer that is not HTTP breaks the stream, in words', async () => {
  const { trace } = await exchange(({ socket }) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  )
  expect(trace.outcome).toMatchObject({ kind: 'failed', failure: { kind: 'stream-broken' } })
  expect(JSON.stringify(trace.outcome)).not.toContain('undefined')
})

test('a long error is cut to 300 characters', async () => {
  const { trace } = await exchange(({ reply }) => reply.writeHead(500).end('x'.repeat(1000)))
  expect(trace.outcome).toEqual({
    kind: 'failed',
    failure: { kind: 'http-status', status: 500, message: 'x'.repeat(300) },
  })
})

test.each([
  ['a page', html, '<html>Welcome</html>'],
  ['a whole answer instead of a stream', json, '{"object":"chat.completion","choices":[]}'],
])('HTTP 200 with %s is a broken protocol', async (_, headers, body) => {
  const { trace } = await exchange(({ reply }) => reply.writeHead(200, headers).end(body))
  expect(trace.outcome).toMatchObject({ kind: 'failed', failure: { kind: 'protocol' } })
})

test.each<[string, (stream: HeldStream) => void, object]>([
  [
    'an error event, with [DONE] after it',
    stream => {
      stream.text('a', 1)
      stream.event({ error: { message: 'EngineCore encountered an issue.', code: 500 } })
      stream.event('[DONE]')
      stream.reply.end()
    },
    { kind: 'server-error', message: 'EngineCore encountered an issue.' },
  ],
  [
    'an error event, and then silence',
    stream => stream.event({ error: 'no' }),
    { kind: 'server-error', message: 'no' },
  ],
  [
    'an abort that nobody asked for',
    stream => {
      stream.text('a', 1)
      stream.finish('abort', 1)
    },
    { kind: 'server-error', message: 'the server aborted the request' },
  ],
  [
    'an end without a finish',
    stream => {
      stream.text('a', 1)
      stream.reply.end()
    },
    { kind: 'stream-broken', message: 'it ended without [DONE]' },
  ],
  [
    '[DONE] without a finish reason',
    stream => {
      stream.event('[DONE]')
      stream.reply.end()
    },
    { kind: 'stream-broken', message: 'no finish reason' },
  ],
  [
    'something that is not JSON',
    stream => stream.event('<html>'),
    { kind: 'protocol', message: 'not JSON: <html>' },
  ],
])('a stream with %s has failed for that reason', async (_, script, failure) => {
  const { trace, asked } = await exchange(script)
  expect(trace.outcome).toEqual({ kind: 'failed', failure })
  asked.request.hangUp()
  expect(asked.ends).toEqual([trace])
})

test.each([
  ['reset', (stream: HeldStream) => stream.socket.resetAndDestroy()],
  ['closed', (stream: HeldStream) => stream.socket.end()],
])('a connection that is %s in mid-stream breaks it, and its tokens stay', async (_, breakOff) => {
  const { origin, streams } = await sseServer()
  const asked = ask(targetAt(origin))
  const stream = await streams.next()
  stream.text('a', 2)
  await asked.firstToken
  breakOff(stream)
  expect(await asked.trace).toMatchObject({
    outcome: { kind: 'failed', failure: { kind: 'stream-broken' } },
    outputTokens: 2,
  })
  expect(asked.ends).toHaveLength(1)
})

test('an endless event is given up after 4 MiB, and the connection closed', async () => {
  const { trace, stream } = await exchange(({ reply }) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write('data: ')
    for (let mebibyte = 0; mebibyte < 5; mebibyte++) reply.write('x'.repeat(1024 * 1024))
  })
  expect(trace.outcome).toEqual({
    kind: 'failed',
    failure: { kind: 'protocol', message: 'an event of more than 4 MiB' },
  })
  await stream.closed
})

test('an endless error page is given up, and the connection closed', async () => {
  const { trace, stream } = await exchange(({ reply }) => {
    reply.writeHead(500)
    for (let part = 0; part < 3; part++) reply.write('x'.repeat(64 * 1024))
  })
  expect(trace.outcome).toEqual({
    kind: 'failed',
    failure: { kind: 'protocol', message: 'HTTP 500 with an endless body' },
  })
  await stream.closed
})

test('a refused connection is a failure to connect', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  await new Promise(resolve => server.close(resolve))
  const { outcome, writtenAt } = await ask(targetAt(`http://127.0.0.1:${port}`)).trace
  expect(outcome).toMatchObject({ kind: 'failed', failure: { kind: 'connect' } })
  expect(outcome).toHaveProperty('failure.message', expect.stringContaining('ECONNREFUSED'))
  expect(writtenAt).toBeNull()
})

test('a request that cannot even be written fails as data, not by throwing', async () => {
  const { origin } = await sseServer()
  const { trace } = ask(targetAt(origin, { headers: { authorization: 'a\nb' } }))
  expect((await trace).outcome).toMatchObject({ kind: 'failed', failure: { kind: 'connect' } })
})

test('a request cut off before it is written is never sent', async () => {
  const { origin, streams } = await sseServer()
  const target = targetAt(origin)
  const client = connectionTo(target)
  const first = ask(target, { client })
  const second = ask(target, { client })
  first.request.cutOff()
  expect(await first.trace).toMatchObject({ outcome: { kind: 'cut-off' }, writtenAt: null })
  const stream = await streams.next()
  expect(stream.body.rid).toBe(second.request.plan.rid)
  stream.text('a', 1)
  stream.finish()
  expect(await second.trace).toMatchObject({ outcome: { kind: 'completed' } })
  expect(streams.all).toHaveLength(1)
})

test('a stream that finishes after all although it was cut off is completed', async () => {
  const { origin, streams } = await sseServer()
  const asked = ask(targetAt(origin))
  const stream = await streams.next()
  asked.request.cutOff()
  stream.text('a', 1)
  stream.finish()
  expect((await asked.trace).outcome).toEqual({ kind: 'completed' })
})

test('a stream that was cut off is not a failure, however it ends', async () => {
  const { origin, streams } = await sseServer()
  const asked = ask(targetAt(origin))
  const stream = await streams.next()
  asked.request.cutOff()
  stream.event({ error: { message: 'aborted' } })
  expect((await asked.trace).outcome).toEqual({ kind: 'cut-off' })
})

test('silence before the first token and after it have limits of their own', async () => {
  const { origin, streams } = await sseServer()
  const asked = ask(targetAt(origin))
  expect(asked.request.timesOut(1e9, { firstTokenTimeoutMs: 1, stallTimeoutMs: 1 })).toBe(false)
  const stream = await streams.next()
  const writtenAt = Number(asked.request.writtenAt)
  const limits = { firstTokenTimeoutMs: 500, stallTimeoutMs: 100 }
  expect(asked.request.timesOut(writtenAt + 499, limits)).toBe(false)
  stream.text('a', 1)
  await asked.firstToken
  const lastTokenAt = Number(asked.request.meter.lastTokenAt)
  expect(asked.request.timesOut(lastTokenAt + 99, limits)).toBe(false)
  expect(asked.request.timesOut(lastTokenAt + 101, limits)).toBe(true)
  expect(asked.request.timesOut(lastTokenAt + 102, limits)).toBe(false)
  // Neither a later cut nor a late end changes that it has failed.
  asked.request.cutOff()
  stream.finish()
  expect((await asked.trace).outcome).toEqual({
    kind: 'failed',
    failure: { kind: 'timeout', waitedFor: 'next-token', afterMs: expect.closeTo(101, 3) },
  })
})
