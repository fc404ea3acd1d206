import { expect, test } from 'vitest'
import { probeLatency } from '../../src/doctor/latency-probe.ts'
import { scriptedServer } from '../server/scripted-server.ts'
import { targetAt } from '../support/load-target.ts'

const script = { '/v1/models': { body: { data: [] } } }

test('a round trip is timed 25 times, after one that opens the connection', async () => {
  const { url, seen } = await scriptedServer(script)
  const { connectMs, roundTripMs, dated } = await probeLatency(targetAt(url))
  expect(connectMs).toBeGreaterThan(0)
  expect(seen).toHaveLength(26)
  expect([roundTripMs.length, dated.length]).toEqual([25, 26])
})

test('a server that is slow is not asked for longer than that, but once at least', async () => {
  const { url } = await scriptedServer(script)
  expect((await probeLatency(targetAt(url), 0)).roundTripMs).toHaveLength(1)
})

test('a server that does not answer has no round trip', async () => {
  expect(await probeLatency(targetAt('http://127.0.0.1:1'))).toEqual({
    connectMs: null,
    roundTripMs: [],
    dated: [],
  })
})
