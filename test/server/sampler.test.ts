import { expect, onTestFinished, test } from 'vitest'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import type { Clock } from '../../src/runner/ports.ts'
import { observeOnce } from '../../src/server/observe.ts'
import { createSampler } from '../../src/server/sampler.ts'
import { connectTo } from './connect-to.ts'
import { type Script, scriptedServer, sglangScript } from './scripted-server.ts'

/** Time that stands still until it is moved. */
function handClock(): Clock & { moveTo(at: number): void } {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    wallTime: () => '2026-01-01T00:00:00Z',
    onTime: (at, wake) => {
      timers.set(wake, at)
      return () => timers.delete(wake)
    },
    moveTo: at => {
      now = at
      for (const [wake, due] of [...timers]) {
        if (due > now) continue
        timers.delete(wake)
        wake()
      }
    },
  }
}

/** A sampler at work: `next` waits for a sample, moving the clock first where told. */
async function sampling(script: Script, timeoutMs = 1000) {
  const { url, seen } = await scriptedServer(script)
  const connection = await connectTo(url)
  seen.length = 0
  const clock = handClock()
  const sampler = createSampler(connection, clock, timeoutMs)
  onTestFinished(() => sampler.stop())
  const samples: ServerSample[] = []
  let arrived = Promise.withResolvers<void>()
  sampler.start(sample => {
    samples.push(sample)
    arrived.resolve()
  })
  let read = 0
  const next = async (at?: number) => {
    if (at !== undefined) clock.moveTo(at)
    if (samples.length === read) await arrived.promise
    arrived = Promise.withResolvers()
    const sample = samples[read++]
    if (sample === undefined) throw new Error('no sample')
    return sample
  }
  return { next, sampler, clock, samples, paths: () => seen.splice(0).map(request => request.url) }
}

test('one look tells of now by the loads and of tokens by the counters', async () => {
  const { url } = await scriptedServer(sglangScript())
  const clock = handClock()
  clock.moveTo(1234)
  expect(await observeOnce(await connectTo(url), clock)).toMatchObject({
    at: 1234,
    running: 0,
    queued: 0,
    fresh: true,
    realtimeDecodeTokens: 100,
    countsFirstTokens: false,
    missed: [],
  })
})

test('the first look is at once, the next when a second is over', async () => {
  const { next, samples } = await sampling(sglangScript())
  expect((await next()).at).toBe(0)
  expect(samples).toHaveLength(1)
  expect((await next(1000)).at).toBe(1000)
})

test('at a fast pace the metrics are still read once a second only', async () => {
  const { next, sampler, paths } = await sampling(sglangScript())
  await next()
  expect(paths().sort()).toEqual(['/metrics', '/v1/loads'])
  sampler.setPace(200)
  const between = await next()
  expect(paths()).toEqual(['/v1/loads'])
  expect(between).toMatchObject({ fresh: true, running: 0, realtimeDecodeTokens: null, missed: [] })
  for (const at of [200, 400, 600, 800]) await next(at)
  expect(paths()).toEqual(['/v1/loads', '/v1/loads', '/v1/loads', '/v1/loads'])
  expect(await next(1000)).toMatchObject({ realtimeDecodeTokens: 100 })
  expect(paths().sort()).toEqual(['/metrics', '/v1/loads'])
})

test('without loads the metrics are read at every look', async () => {
  const { '/v1/loads': _, ...script } = sglangScript()
  const { next, sampler, paths } = await sampling(script)
  await next()
  sampler.setPace(200)
  await next()
  expect(await next(200)).toMatchObject({ running: 10, queued: null, fresh: false, missed: [] })
  expect(paths()).toEqual(['/metrics', '/metrics', '/metrics'])
})

test('a slower pace holds from the next sleep on', async () => {
  const { next, sampler, samples, clock } = await sampling(sglangScript())
  await next()
  sampler.setPace(5000)
  await next(1000)
  clock.moveTo(5999)
  expect(samples).toHaveLength(2)
  expect((await next(6000)).at).toBe(6000)
})

test.each([
  ['404', { status: 404 }, 'HTTP 404'],
  ['a web page', { body: '<html>' }, 'the answer holds no figures'],
  ['garbage', { body: '\u0000\u0001{{{' }, 'the answer holds no figures'],
  ['nothing but NaN', { body: 'sglang:num_running_reqs NaN' }, 'the answer holds no figures'],
  ['silence', 'hang' as const, 'no answer within 0.25 s'],
])('%s for metrics is told as missed, and the loads still count', async (_, reply, message) => {
  const script = sglangScript()
  const { next } = await sampling(script, 250)
  await next()
  script['/metrics'] = reply
  expect(await next(1000)).toMatchObject({
    running: 0,
    fresh: true,
    realtimeDecodeTokens: null,
    countsFirstTokens: false,
    missed: [{ source: 'metrics', message }],
  })
})

test('loads that fail leave the gauges, told as not fresh', async () => {
  const script = sglangScript()
  const { next } = await sampling(script)
  await next()
  script['/v1/loads'] = { status: 500 }
  expect(await next(1000)).toMatchObject({
    running: 10,
    fresh: false,
    missed: [{ source: 'loads', message: 'HTTP 500' }],
  })
})

test('NaN is unknown and takes nothing else with it', async () => {
  const script = sglangScript()
  const { next } = await sampling(script)
  await next()
  script['/metrics'] = {
    body: 'sglang:num_retracted_requests_total{dp_rank="0"} NaN\nsglang:realtime_tokens_total{dp_rank="0",mode="decode"} 150',
  }
  expect(await next(1000)).toMatchObject({ realtimeDecodeTokens: 150, retractions: null, missed: [] })
})

test('a restart shows as a gap and a counter that fell', async () => {
  const script = sglangScript()
  const { next } = await sampling(script)
  expect((await next()).realtimeDecodeTokens).toBe(100)
  Object.assign(script, { '/metrics': { status: 502 }, '/v1/loads': { status: 502 } })
  expect(await next(1000)).toMatchObject({ running: null, realtimeDecodeTokens: null, missed: [{}, {}] })
  Object.assign(script, sglangScript())
  script['/metrics'] = { body: 'sglang:realtime_tokens_total{dp_rank="0",mode="decode"} 5' }
  expect(await next(2000)).toMatchObject({ realtimeDecodeTokens: 5, missed: [] })
})

test('the counters are read at the times asked for, beside the pace', async () => {
  const { next, sampler, paths } = await sampling(sglangScript())
  await next()
  paths()
  sampler.lookAt([300, 900])
  expect((await next(300)).realtimeDecodeTokens).toBe(100)
  expect(paths().sort()).toEqual(['/metrics', '/v1/loads'])
  expect((await next(900)).realtimeDecodeTokens).toBe(100)
  expect((await next(1900)).realtimeDecodeTokens).toBe(100)
})

test('a time that passed during a slow look is made up for at once', async () => {
  const { next, sampler, clock } = await sampling(sglangScript())
  await next()
  sampler.lookAt([200])
  clock.moveTo(250)
  expect((await next()).realtimeDecodeTokens).toBe(100)
})

test('stopping ends the look under way and nothing is reported after it', async () => {
  const script = sglangScript()
  const { next, sampler, samples, clock } = await sampling(script, 60_000)
  await next()
  const asked = Promise.withResolvers<void>()
  script['/metrics'] = () => {
    asked.resolve()
    return 'hang'
  }
  clock.moveTo(1000)
  await asked.promise
  await sampler.stop()
  expect(samples).toHaveLength(1)
})

test('stopping wakes a sampler that sleeps', async () => {
  const { next, sampler } = await sampling(sglangScript())
  await next()
  await sampler.stop()
})
