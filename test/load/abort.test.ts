import { expect, onTestFinished, test, vi } from 'vitest'
import { abortRequests } from '../../src/load/abort.ts'
import type { LoadTarget } from '../../src/load/messages.ts'
import { targetAt } from '../support/load-target.ts'
import { type Asked, ask } from './request.ts'
import { type HeldStream, type Hooks, sseServer } from './sse-server.ts'

/** Streams under way, each with a first token, and cut off. */
async function cutStreams(count: number, hooks: Hooks, changes: Partial<LoadTarget> = {}) {
  const server = await sseServer(hooks)
  const target = targetAt(server.origin, changes)
  const asked = Array.from({ length: count }, () => ask(target))
  const held: HeldStream[] = []
  for (const _ of asked) held.push(await server.streams.next())
  for (const stream of held) stream.text('a', 1)
  await Promise.all(asked.map(({ firstToken }) => firstToken))
  for (const { request } of asked) request.cutOff()
  return { server, target, asked, held, requests: asked.map(({ request }) => request) }
}

const outcomes = (asked: readonly Asked[]) =>
  Promise.all(asked.map(async ({ trace }) => (await trace).outcome.kind))

test('each stream is aborted by its rid while its connection is open, and its last tokens count', async () => {
  const aborted: [string | undefined, boolean][] = []
  const { target, asked, requests } = await cutStreams(3, {
    onAbort: (stream, reply) => {
      aborted.push([stream.body.rid, stream.socket.destroyed])
      stream.finish('abort', 7)
      reply.end()
    },
  })
  await abortRequests(requests, target)
  expect(aborted.sort()).toEqual(requests.map(({ plan }) => [plan.rid, false]).sort())
  expect(await outcomes(asked)).toEqual(['cut-off', 'cut-off', 'cut-off'])
  for (const { trace } of asked) expect(await trace).toMatchObject({ outputTokens: 7 })
})

test('streams that do not end after their abort are hung up after a second', async () => {
  const timers = fakeTimeouts()
  const answered = Promise.withResolvers<void>()
  const { target, asked, held, requests } = await cutStreams(1, {
    onAbort: (_, reply) => reply.on('close', answered.resolve).end(),
  })
  const done = abortRequests(requests, target)
  await answered.promise
  await timers.until(3000, done)
  expect(await outcomes(asked)).toEqual(['cut-off'])
  await held[0]?.closed
})

test('a server that never answers the aborts holds up all streams together, not each', async () => {
  const timers = fakeTimeouts()
  const { server, target, asked, held, requests } = await cutStreams(100, { onAbort: () => {} })
  const done = abortRequests(requests, target)
  expect(await timers.until(60_000, done)).toBeLessThan(6000)
  expect(new Set(await outcomes(asked))).toEqual(new Set(['cut-off']))
  await Promise.all(held.map(({ closed }) => closed))
  await server.allClosed()
})

test.each([
  ['refuses', (_: HeldStream, { socket }: HeldStream['reply']) => void socket?.destroy()],
  [
    'denies',
    (_: HeldStream, reply: HeldStream['reply']) => void reply.writeHead(403).end('{"error":"Forbidden"}'),
  ],
])('a server that %s the abort has its streams hung up', async (_, onAbort) => {
  const timers = fakeTimeouts()
  const { target, asked, held, requests } = await cutStreams(2, { onAbort })
  await timers.until(3000, abortRequests(requests, target))
  expect(await outcomes(asked)).toEqual(['cut-off', 'cut-off'])
  await Promise.all(held.map(({ closed }) => closed))
})

test('where there is no abort, closing the connections has to do, and is done at once', async () => {
  const aborts: HeldStream[] = []
  const hooks = { onAbort: (stream: HeldStream) => void aborts.push(stream) }
  const { target, asked, held, requests } = await cutStreams(2, hooks, { abortPath: null })
  await abortRequests(requests, target)
  expect(asked.map(({ ends }) => ends.length)).toEqual([1, 1])
  await Promise.all(held.map(({ closed }) => closed))
  expect(aborts).toEqual([])
})

/** Time-outs that pass only when the test says so; sockets go on as they are. */
function fakeTimeouts() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return {
    /** Lets up to `limitMs` pass until the work is done; how much it took. */
    async until(limitMs: number, work: Promise<unknown>): Promise<number> {
      let isDone = false
      work.then(() => {
        isDone = true
      })
      let passed = 0
      for (; !isDone && passed < limitMs; passed += 100) {
        vi.advanceTimersByTime(100)
        await new Promise(resolve => setImmediate(resolve))
      }
      await work
      return passed
    },
  }
}
