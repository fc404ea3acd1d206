import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../src/runner/ports.ts'
import { type WatchFact, watchServer } from '../../src/server/watch-server.ts'
import { type Script, scriptedServer, sglangScript } from './scripted-server.ts'

/** Time that passes as soon as something waits for it. */
function eagerClock(): Clock {
  let now = 0
  return {
    now: () => now,
    wallTime: () => '2026-01-01T00:00:00Z',
    onTime: (at, wake) => {
      const timer = setImmediate(() => {
        now = Math.max(now, at)
        wake()
      })
      return () => clearImmediate(timer)
    },
  }
}

/** Facts of a server that is watched; `until` resolves when one is as wanted, with all since the last such one. */
function watching(url: string) {
  const stopping = new AbortController()
  const facts: WatchFact[] = []
  let look = () => {}
  const options = {
    url,
    apiKey: null,
    headers: {},
    insecure: false,
    model: null,
    engine: null,
    timeoutMs: 1000,
  }
  const tell = (fact: WatchFact) => {
    facts.push(fact)
    look()
  }
  const ended = watchServer(options, eagerClock(), tell, stopping.signal)
  const stop = () => {
    stopping.abort()
    return ended.catch(() => {})
  }
  onTestFinished(stop)
  const until = (isWanted: (fact: WatchFact) => boolean) =>
    new Promise<WatchFact>(resolve => {
      look = () => {
        const found = facts.find(isWanted)
        if (found === undefined) return
        facts.splice(0, facts.indexOf(found) + 1)
        look = () => {}
        resolve(found)
      }
      look()
    })
  return { until, stop, facts, ended }
}

const of = (kind: WatchFact['kind']) => (fact: WatchFact) => fact.kind === kind

test('a server is found, and then looked at again and again', async () => {
  const { url } = await scriptedServer(sglangScript())
  const { until } = watching(url)
  expect(await until(of('server-connected'))).toMatchObject({ server: { engine: { name: 'sglang' } } })
  for (let looks = 0; looks < 5; looks++)
    expect(await until(of('server-sampled'))).toMatchObject({ sample: { running: 0, queued: 0 } })
})

test('a server that falls silent is lost, and found again when it is back, even as another one', async () => {
  const script: Script = sglangScript()
  const { url } = await scriptedServer(script)
  const { until, facts } = watching(url)
  await until(of('server-sampled'))
  const pages = { ...script }
  for (const path of Object.keys(script)) script[path] = { status: 503 }
  expect(await until(of('server-lost'))).toMatchObject({ message: 'HTTP 503' })
  expect(await until(of('server-lost'))).toMatchObject({ message: expect.stringContaining('503') })
  Object.assign(script, pages, {
    '/v1/models': { body: { object: 'list', data: [{ id: 'org/other', owned_by: 'sglang' }] } },
  })
  expect(await until(of('server-connected'))).toMatchObject({ server: { model: { id: 'org/other' } } })
  await until(of('server-sampled'))
  expect(facts.some(of('server-lost'))).toBe(false)
})

test('one page that fails among others does not lose the server', async () => {
  const script: Script = { ...sglangScript() }
  const { url } = await scriptedServer(script)
  const { until, facts } = watching(url)
  await until(of('server-sampled'))
  script['/metrics'] = { status: 500 }
  for (let looks = 0; looks < 6; looks++)
    await until(fact => fact.kind === 'server-sampled' && fact.sample.missed.length > 0)
  expect(facts.some(of('server-lost'))).toBe(false)
})

test('a server that tells nothing of itself is only asked whether it is there', async () => {
  const script: Script = { '/v1/models': { body: { object: 'list', data: [{ id: 'm' }] } } }
  const { url, seen } = await scriptedServer(script)
  const { until } = watching(url)
  await until(of('server-connected'))
  seen.length = 0
  await expect.poll(() => seen.length).toBeGreaterThan(3)
  expect(new Set(seen.map(request => request.url))).toEqual(new Set(['/v1/models']))
  script['/v1/models'] = { status: 502 }
  expect(await until(of('server-lost'))).toMatchObject({ message: 'it does not answer any more' })
})

test('what no waiting mends ends the watch', async () => {
  await expect(watching('ftp://127.0.0.1').ended).rejects.toThrow('is no url')
})

test('it can be left while a server is not answering', async () => {
  const { url } = await scriptedServer({ '/v1/models': 'hang' })
  const { stop } = watching(url)
  await stop()
})
