import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { expect, test } from 'vitest'
import { abortRequests } from '../../src/load/abort.ts'
import { connectionTo, openConnection } from '../../src/load/open-connection.ts'
import { targetAt } from '../support/load-target.ts'
import { portOf } from '../support/own-server.ts'
import { proxyServer } from '../support/proxy-server.ts'
import { ask } from './request.ts'
import { sseServer } from './sse-server.ts'

const answer = [
  'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"length"}],"usage":{"completion_tokens":1}}\n\n',
  'data: [DONE]\n\n',
].join('')

/** A server with a certificate that nobody vouches for; every POST is answered by one token. */
async function tlsServer(): Promise<string> {
  const read = (name: string) => readFileSync(`test/fixtures/tls/${name}.pem`)
  const server = createServer({ key: read('key'), cert: read('cert') }, (request, reply) => {
    request.resume()
    if (request.method === 'GET') reply.end('{}')
    else reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer)
  })
  return `https://127.0.0.1:${await portOf(server)}`
}

test('a stream to an HTTP server goes through the proxy and is counted as ever', async () => {
  const { origin, streams } = await sseServer()
  const { url, seen } = await proxyServer()
  const target = targetAt(origin, { proxy: { http: url, https: null, except: '' } })
  const client = connectionTo(target)
  await openConnection(client, target)
  const { trace } = ask(target, { client })
  const { reply } = await streams.next()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.end(answer)
  expect(await trace).toMatchObject({ outcome: { kind: 'completed' }, outputTokens: 1 })
  expect(seen).toEqual([`GET ${origin}/v1/models`, `POST ${origin}/v1/chat/completions`])
})

test('a stream to an HTTPS server goes through a tunnel; the time that opening it takes is in no TTFT', async () => {
  const origin = await tlsServer()
  const proxy = await proxyServer()
  const opened = Promise.withResolvers<void>()
  proxy.hold = opened.promise
  const target = targetAt(origin, { insecure: true, proxy: { http: null, https: proxy.url, except: '' } })
  const { request, trace } = ask(target)
  await expect.poll(() => proxy.seen).toEqual([`CONNECT ${new URL(origin).host}`])
  expect(request.writtenAt).toBeNull()
  const before = performance.now()
  opened.resolve()
  const { outcome, writtenAt } = await trace
  expect(outcome).toEqual({ kind: 'completed' })
  expect(writtenAt).toBeGreaterThan(before)
})

test('a certificate that nobody vouches for is refused behind a proxy, too', async () => {
  const origin = await tlsServer()
  const { url } = await proxyServer()
  const { trace } = ask(targetAt(origin, { proxy: { http: null, https: url, except: '' } }))
  expect((await trace).outcome).toMatchObject({ kind: 'failed', failure: { kind: 'connect' } })
})

test('an excepted host is reached without the proxy', async () => {
  const { origin, streams } = await sseServer()
  const { url, seen } = await proxyServer()
  const { trace } = ask(targetAt(origin, { proxy: { http: url, https: null, except: 'gpu,127.0.0.1' } }))
  const { reply } = await streams.next()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.end(answer)
  expect((await trace).outcome).toEqual({ kind: 'completed' })
  expect(seen).toEqual([])
})

test('a proxy that is not there fails the request', async () => {
  const target = targetAt('http://gpu.invalid:1', {
    proxy: { http: 'http://127.0.0.1:9', https: null, except: '' },
  })
  expect((await ask(target).trace).outcome).toMatchObject({ kind: 'failed', failure: { kind: 'connect' } })
})

test('aborts go through the proxy', async () => {
  const { origin, streams } = await sseServer()
  const { url, seen } = await proxyServer()
  const target = targetAt(origin, { proxy: { http: url, https: null, except: '' } })
  const { request } = ask(target)
  await streams.next()
  await abortRequests([request], target)
  expect(seen).toContain(`POST ${origin}/abort_request`)
})
