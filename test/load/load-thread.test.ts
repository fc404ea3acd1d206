import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { SingleRequest } from '../../src/domain/step.ts'
import { LoadThread } from '../../src/load/load-thread.ts'
import type { AssignedStream, FromWorker, LoadTarget } from '../../src/load/messages.ts'
import { targetAt } from '../support/load-target.ts'
import { Arrivals } from './arrivals.ts'
import { type HeldStream, type Hooks, type SseServer, sseServer } from './sse-server.ts'

/** A load thread in this thread, at a scripted server. Closed with its test. */
async function threadAt(hooks: Hooks = {}, changes: Partial<LoadTarget> = {}) {
  const server = await sseServer(hooks)
  const replies = new Arrivals<FromWorker>()
  const thread = new LoadThread(
    {
      target: targetAt(server.origin, changes),
      prompts: { nonce: '0badcafe', seed: 1, text: null },
      worker: 2,
    },
    reply => replies.add(reply),
  )
  onTestFinished(() => thread.handle({ kind: 'close' }))
  return { server, thread, replies: new Replies(replies) }
}

class Replies {
  readonly #all: Arrivals<FromWorker>
  /** Of all ticks so far. */
  readonly ticked: { tokens: number; chunks: number; readonly ended: RequestTrace[] } = {
    tokens: 0,
    chunks: 0,
    ended: [],
  }

  constructor(all: Arrivals<FromWorker>) {
    this.#all = all
  }

  /** The next reply of that kind; ticks before it are added up. */
  async next<Kind extends FromWorker['kind']>(kind: Kind): Promise<Extract<FromWorker, { kind: Kind }>> {
    for (;;) {
      const reply = await this.#all.next()
      if (reply.kind === 'tick') {
        this.ticked.tokens += reply.tick.tokens
        this.ticked.chunks += reply.tick.chunks
        this.ticked.ended.push(...reply.tick.ended)
      }
      if (isKind(reply, kind)) return reply
    }
  }

  /** Reads ticks until that many requests have ended in them. */
  async untilEnded(count: number): Promise<readonly RequestTrace[]> {
    while (this.ticked.ended.length < count) await this.next('tick')
    return this.ticked.ended
  }
}

function isKind<Kind extends FromWorker['kind']>(
  reply: FromWorker,
  kind: Kind,
): reply is Extract<FromWorker, { kind: Kind }> {
  return reply.kind === kind
}

const usageBefore = { tokens: 0, chunks: 0 }
const prompt = (stream: number) => ({ stream, cold: null, chars: 600 })
const streams = (...firstMaxTokens: number[]): AssignedStream[] =>
  firstMaxTokens.map((length, index) => ({ index, prompt: prompt(index), firstMaxTokens: length }))
const warm = (stream: number): SingleRequest => ({ purpose: 'warm', prompt: prompt(stream), maxTokens: 1 })

async function launch({ thread, replies }: Awaited<ReturnType<typeof threadAt>>, plans: AssignedStream[]) {
  void thread.handle({ kind: 'prepare', streams: plans, maxTokens: 8 })
  await replies.next('prepared')
  void thread.handle({ kind: 'start' })
}

async function close({ thread, replies }: Awaited<ReturnType<typeof threadAt>>) {
  void thread.handle({ kind: 'close' })
  return replies.next('closed')
}

/** A request that was on its way to the server when this was called has arrived when it returns. */
async function roundTrip({ origin }: SseServer): Promise<void> {
  await fetch(`${origin}/abort_request`, { method: 'POST', body: '{"rid":"none"}' })
}

const outcome = ({ outcome: { kind } }: RequestTrace) => kind

test('a stream that ends is replaced at once on its connection, with the full length and a new rid', async () => {
  const setup = await threadAt()
  await launch(setup, streams(3))
  const first = await setup.server.streams.next()
  first.text('a', 3)
  first.finish('length', 3)
  const second = await setup.server.streams.next()
  expect([first, second].map(({ body }) => [body.rid, body.max_tokens])).toEqual([
    ['tg0badcafe-002-000000000', 3],
    ['tg0badcafe-002-000000001', 8],
  ])
  expect(second.socket).toBe(first.socket)
  const [trace] = await setup.replies.untilEnded(1)
  expect(trace).toMatchObject({
    purpose: 'launch',
    maxTokens: 3,
    outputTokens: 3,
    outcome: { kind: 'completed' },
  })
})

test('streams start only when all connections are open, and go over those', async () => {
  const opens = new Arrivals<ServerResponse>()
  const { server, thread, replies } = await threadAt({ onOpen: reply => opens.add(reply) })
  void thread.handle({ kind: 'prepare', streams: streams(1, 2), maxTokens: 8 })
  const started = replies.next('prepared').then(() => thread.handle({ kind: 'start' }))
  ;(await opens.next()).end()
  const last = await opens.next()
  const opened = new Set(server.sockets)
  await roundTrip(server)
  expect(server.streams.all).toEqual([])
  last.end()
  await started
  const used = [await server.streams.next(), await server.streams.next()]
  expect(opened.size).toBe(2)
  expect(new Set(used.map(({ socket }) => socket))).toEqual(opened)
  expect(used.map(({ body }) => body.max_tokens).sort()).toEqual([1, 2])
})

test('a stream that fails is tried again after a pause that grows, at full length once it had a token', async () => {
  const setup = await threadAt()
  await launch(setup, streams(3))
  const first = await setup.server.streams.next()
  first.reply.writeHead(503).end()
  const second = await setup.server.streams.next()
  second.text('a', 1)
  while (setup.replies.ticked.tokens === 0) await setup.replies.next('tick')
  second.socket.destroy()
  const third = await setup.server.streams.next()
  third.text('a', 1)
  third.finish()
  const ended = await setup.replies.untilEnded(3)
  expect(ended.map(trace => [outcome(trace), trace.purpose, trace.maxTokens])).toEqual([
    ['failed', 'launch', 3],
    ['failed', 'launch', 3],
    ['completed', 'steady', 8],
  ])
  const pause = (index: number) => Number(ended[index + 1]?.writtenAt) - Number(ended[index]?.endedAt)
  expect(pause(0)).toBeGreaterThan(245)
  expect(pause(1)).toBeGreaterThan(495)
})

test('the ticks add up to the traces', async () => {
  const setup = await threadAt()
  await launch(setup, streams(3, 5))
  for (let request = 0; request < 6; request++) {
    const stream = await setup.server.streams.next()
    stream.text('a', 2)
    stream.text('b', 3)
    stream.finish('length', 3)
  }
  const ended = await setup.replies.untilEnded(6)
  expect(ended.map(outcome)).toEqual(Array(6).fill('completed'))
  expect(setup.replies.ticked).toMatchObject({ tokens: 18, chunks: 12 })
})

test('a tick tells how many streams have started, stream now, and wait', async () => {
  const setup = await threadAt()
  await launch(setup, streams(3, 5))
  const [one, other] = [await setup.server.streams.next(), await setup.server.streams.next()]
  one.text('a', 1)
  const ticks = async (fits: (tick: { started: number; waiting: number }) => boolean) => {
    for (;;) {
      const { tick } = await setup.replies.next('tick')
      if (fits(tick)) return tick
    }
  }
  expect(await ticks(({ started }) => started === 1)).toMatchObject({ active: 1, waiting: 1 })
  one.finish('length', 1)
  other.text('b', 1)
  expect(await ticks(({ started }) => started === 2)).toMatchObject({ active: 1, waiting: 1 })
})

test.each([
  ['first', (_: HeldStream) => {}],
  ['next', (stream: HeldStream) => stream.text('a', 1)],
])(
  'a stream that waits too long for its %s token is aborted on the server, and replaced',
  async (which, begin) => {
    const aborted: [string | undefined, boolean][] = []
    const onAbort: Hooks['onAbort'] = (stream, reply) => {
      aborted.push([stream.body.rid, stream.socket.destroyed])
      stream.finish('abort', 1)
      reply.end()
    }
    const limits = which === 'first' ? { firstTokenTimeoutMs: 20 } : { stallTimeoutMs: 20 }
    const setup = await threadAt({ onAbort }, limits)
    await launch(setup, streams(3))
    begin(await setup.server.streams.next())
    const [trace] = await setup.replies.untilEnded(1)
    expect(trace?.outcome).toMatchObject({
      kind: 'failed',
      failure: { kind: 'timeout', waitedFor: `${which}-token` },
    })
    expect(aborted).toEqual([['tg0badcafe-002-000000000', false]])
    expect((await setup.server.streams.next()).body.rid).toBe('tg0badcafe-002-000000001')
  },
)

test('a single request that falls silent times out, too', async () => {
  const setup = await threadAt({}, { stallTimeoutMs: 20 })
  void setup.thread.handle({ kind: 'send', id: 7, requests: [warm(0)], atOnce: 1 })
  const stream = await setup.server.streams.next()
  stream.text('a', 1)
  expect(await setup.replies.next('sent')).toMatchObject({
    id: 7,
    traces: [{ purpose: 'warm', outcome: { failure: { kind: 'timeout', waitedFor: 'next-token' } } }],
  })
  await stream.closed
})

test('single requests are sent at most so many at a time, each over a connection of its own', async () => {
  const setup = await threadAt()
  const requests = [0, 1, 2, 3, 4].map(warm)
  void setup.thread.handle({ kind: 'send', id: 7, requests, atOnce: 2 })
  const first = await setup.server.streams.next()
  for (let request = 1; request < 5; request++) {
    const stream = await setup.server.streams.next()
    await roundTrip(setup.server)
    expect(setup.server.streams.all).toHaveLength(request + 1)
    stream.finish('length', 1)
  }
  first.finish('length', 1)
  const { id, traces } = await setup.replies.next('sent')
  expect(id).toBe(7)
  expect(traces.map(({ stream }) => stream).sort()).toEqual([0, 1, 2, 3, 4])
  expect(traces.map(outcome)).toEqual(Array(5).fill('completed'))
  expect(new Set(setup.server.streams.all.map(({ socket }) => socket)).size).toBe(5)
  await setup.server.allClosed()
})

test('a close while single requests are sent ends those under way and sends no other', async () => {
  const setup = await threadAt()
  void setup.thread.handle({ kind: 'send', id: 7, requests: [warm(0), warm(1)], atOnce: 1 })
  await setup.server.streams.next()
  void setup.thread.handle({ kind: 'close' })
  const { traces } = await setup.replies.next('sent')
  expect(traces.map(outcome)).toEqual(['cut-off'])
  expect(await setup.replies.next('closed')).toMatchObject({ counts: null, cutOff: [] })
  expect(setup.server.streams.all).toHaveLength(1)
  await setup.server.allClosed()
})

test('after a close single requests are sent again', async () => {
  const setup = await threadAt()
  await close(setup)
  void setup.thread.handle({ kind: 'send', id: 8, requests: [warm(0)], atOnce: 1 })
  const stream = await setup.server.streams.next()
  stream.finish('length', 1)
  expect((await setup.replies.next('sent')).traces.map(outcome)).toEqual(['completed'])
})

test('a close while connections are opened sends nothing, even when the start comes late', async () => {
  const opening = Promise.withResolvers<void>()
  const setup = await threadAt({ onOpen: () => opening.resolve() })
  void setup.thread.handle({ kind: 'prepare', streams: streams(3, 5), maxTokens: 8 })
  await opening.promise
  void setup.thread.handle({ kind: 'close' })
  void setup.thread.handle({ kind: 'start' })
  await setup.replies.next('prepared')
  expect(await setup.replies.next('closed')).toEqual({
    kind: 'closed',
    counts: null,
    cutOff: [],
    usageBefore,
  })
  await setup.thread.handle({ kind: 'start' })
  await setup.server.allClosed()
  expect(setup.server.streams.all).toEqual([])
})

test('a close with nothing under way is answered at once', async () => {
  expect(await close(await threadAt())).toEqual({ kind: 'closed', counts: null, cutOff: [], usageBefore })
})

test('a close aborts every stream, counts what arrived in the window, and leaves no connection', async () => {
  const setup = await threadAt({
    onAbort: (stream, reply) => {
      stream.finish('abort', 9)
      reply.end()
    },
  })
  await launch(setup, streams(3, 5))
  const held = [await setup.server.streams.next(), await setup.server.streams.next()]
  const now = performance.now()
  const window = { from: now, to: now + 60_000, sliceMs: 120_000 }
  void setup.thread.handle({ kind: 'open-window', window })
  for (const stream of held) stream.text('a', 4)
  while (setup.replies.ticked.tokens < 8) await setup.replies.next('tick')
  const { counts, cutOff } = await close(setup)
  // 2 × 4 tokens, and 2 × 5 more that the usage after the abort told: it came inside this long window.
  expect(counts?.sliceTokens).toEqual([18])
  const ended = [...setup.replies.ticked.ended, ...cutOff]
  expect(ended.map(trace => [trace.outcome.kind, trace.outputTokens])).toEqual([
    ['cut-off', 9],
    ['cut-off', 9],
  ])
  await setup.server.allClosed()
  expect(setup.server.streams.all).toHaveLength(2)
})

test('what chunks were worth in the run so far is told at a close, but not of answers of one token', async () => {
  const at = await threadAt()
  const long = { ...warm(0), maxTokens: 8 }
  void at.thread.handle({ kind: 'send', id: 1, requests: [warm(0), long], atOnce: 1 })
  const first = await at.server.streams.next()
  first.text('a')
  first.finish('length', 1)
  const second = await at.server.streams.next()
  for (const word of ['a', 'b']) second.text(word)
  second.finish('length', 8)
  await at.replies.next('sent')
  await launch(at, streams(6, 8))
  const [ended] = [await at.server.streams.next(), await at.server.streams.next()]
  for (const word of ['a', 'b']) ended?.text(word)
  ended?.finish('length', 6)
  await at.replies.untilEnded(1)
  expect((await close(at)).usageBefore).toEqual({ tokens: 14, chunks: 4 })
})

test('a close between a failure and its retry ends the retrying', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const setup = await threadAt()
  await launch(setup, streams(3))
  const first = await setup.server.streams.next()
  first.reply.writeHead(503).end()
  await setup.replies.untilEnded(1)
  expect((await close(setup)).cutOff).toEqual([])
  await setup.server.allClosed()
  vi.advanceTimersByTime(60_000)
  await roundTrip(setup.server)
  expect(setup.server.streams.all).toHaveLength(1)
})

test('a server that closes the idle connection after an answer fails no request: it is sent once more on a new one', async () => {
  const setup = await threadAt()
  await launch(setup, streams(4))
  const first = await setup.server.streams.next()
  // Without a word: no `connection: close`, the socket is just gone when the replacement comes.
  first.reply.on('finish', () => first.socket.destroySoon())
  first.text('a', 4)
  first.finish('length', 4)
  const second = await setup.server.streams.next()
  expect(second.socket).not.toBe(first.socket)
  second.text('b', 8)
  second.finish('length', 8)
  const ended = await setup.replies.untilEnded(2)
  expect(ended.map(outcome)).toEqual(['completed', 'completed'])
  expect(ended.map(({ purpose }) => purpose)).toEqual(['launch', 'steady'])
})
