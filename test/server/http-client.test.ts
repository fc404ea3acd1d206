import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient, describeHttpFailure, type HttpTarget } from '../../src/server/http-client.ts'
import { proxyServer } from '../support/proxy-server.ts'
import { scriptedServer } from './scripted-server.ts'

function client(url: string, target: Partial<HttpTarget> = {}) {
  const http = createHttpClient({ url, apiKey: null, headers: {}, insecure: false, ...target })
  onTestFinished(http.close)
  return http
}
const secrets = { apiKey: 'sk-secret', headers: { 'x-key': 'x-secret' } }

test('a GET and a JSON POST carry the key and the headers', async () => {
  const { url, seen } = await scriptedServer({ '/p': { body: 'hello' } })
  const http = client(url, secrets)
  expect(await http.ask({ path: '/p', timeoutMs: 1000 })).toEqual({ kind: 'ok', body: 'hello' })
  await http.ask({ path: '/p', body: { a: 1 }, timeoutMs: 1000 })
  expect(seen.map(({ method, headers }) => [method, headers['content-type']])).toEqual([
    ['GET', undefined],
    ['POST', 'application/json'],
  ])
  for (const { headers } of seen)
    expect(headers).toMatchObject({ authorization: 'Bearer sk-secret', 'x-key': 'x-secret' })
})

test('a redirect is followed, and another host gets neither key nor headers', async () => {
  const other = await scriptedServer({ '/b': { body: 'there' } })
  const { url, seen } = await scriptedServer({
    '/a': { status: 307, headers: { location: '/a/' } },
    '/a/': { status: 302, headers: { location: `${other.url}/b` } },
  })
  const answer = await client(url, secrets).ask({ path: '/a', timeoutMs: 1000 })
  expect(answer).toEqual({ kind: 'ok', body: 'there' })
  expect(seen[1]?.headers.authorization).toBe('Bearer sk-secret')
  expect(JSON.stringify(other.seen[0]?.headers)).not.toContain('secret')
})

test('a redirect in a circle comes to an end', async () => {
  const { url } = await scriptedServer({ '/a': { status: 302, headers: { location: '/a' } } })
  const answer = await client(url).ask({ path: '/a', timeoutMs: 1000 })
  expect(answer.kind === 'connect' && describeHttpFailure(answer)).toBe('a redirect that leads nowhere')
})

test('an error status is an answer', async () => {
  const { url } = await scriptedServer({ '/a': { status: 503, body: 'starting' } })
  expect(await client(url).ask({ path: '/a', timeoutMs: 1000 })).toEqual({ kind: 'status', status: 503 })
})

test('silence ends after the time-out', async () => {
  const { url } = await scriptedServer({ '/a': 'hang' })
  expect(await client(url).ask({ path: '/a', timeoutMs: 50 })).toEqual({ kind: 'timeout', afterMs: 50 })
})

test("the caller's signal ends a request at once", async () => {
  const stopping = new AbortController()
  const { url } = await scriptedServer({
    '/a': () => {
      stopping.abort()
      return 'hang'
    },
  })
  const answer = client(url).ask({ path: '/a', timeoutMs: 60_000, signal: stopping.signal })
  expect(await answer).toEqual({ kind: 'stopped' })
})

test('an answer without end is cut off', async () => {
  const { url } = await scriptedServer({ '/a': { body: 'x'.repeat(33 * 1024 * 1024) } })
  const answer = await client(url).ask({ path: '/a', timeoutMs: 4000 })
  expect(answer).toEqual({ kind: 'too-large', limitBytes: 32 * 1024 * 1024 })
})

test('nobody listening is told as such', async () => {
  const answer = await client('http://127.0.0.1:1').ask({ path: '/a', timeoutMs: 1000 })
  expect(answer).toEqual({ kind: 'connect', code: 'ECONNREFUSED' })
})

test.each([
  ['the API key', { apiKey: 'sk-\nsecret' }],
  ['the header "x-key"', { headers: { 'x-key': 'secret\r\nx: y' } }],
  ['the header "x key"', { headers: { 'x key': 'secret' } }],
])('%s that HTTP cannot carry is refused, and not repeated', (what, target) => {
  const create = () => client('http://127.0.0.1:1', target)
  expect(create).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining(what) }))
  expect(create).not.toThrow(/secret/)
})

test('requests go through the proxy of the scheme, but not to excepted hosts', async () => {
  const { url } = await scriptedServer({ '/p': { body: 'hello' } })
  const proxy = await proxyServer()
  const ask = (except: string) =>
    client(url, { proxy: { http: proxy.url, https: null, except } }).ask({ path: '/p', timeoutMs: 1000 })
  expect(await ask('')).toEqual({ kind: 'ok', body: 'hello' })
  expect(await ask('127.0.0.1')).toEqual({ kind: 'ok', body: 'hello' })
  expect(proxy.seen).toEqual([`GET ${url}/p`])
})
