import { expect, test } from 'vitest'
import { snapshot, snapshotLine, snapshotText } from '../../src/cli/watch-snapshot.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { sample, server } from '../domain/build.ts'

const time = '2026-01-01T12:30:45.000Z'

function shotOf(samples: readonly Partial<ServerSample>[], problem: string | null = null) {
  const connected: RunEvent = {
    at: 0,
    kind: 'server-connected',
    server: server({ metrics: true, loads: true }),
  }
  const sampled = samples.map((one, index): RunEvent => {
    const at = 1000 * (index + 1)
    return { at, kind: 'server-sampled', sample: sample({ at, ...one }) }
  })
  const watched = { url: 'http://gpu:30000', state: foldRun([connected, ...sampled]), problem }
  return snapshot(watched, 1000 * samples.length, time)
}

test('a snapshot holds the last look, and rates between the last two', () => {
  const shot = shotOf([
    { running: 9, realtimeDecodeTokens: 100 },
    { running: 3, queued: 0, realtimeDecodeTokens: 700, kvCacheUsage: 0.5 },
  ])
  expect(shot).toMatchObject({
    url: 'http://gpu:30000',
    time,
    reachable: true,
    message: null,
    engine: { name: 'sglang', version: null },
    model: 'a-model',
    running: 3,
    queued: 0,
    kvCacheUsage: 0.5,
    tokensPerSecond: 600,
    prefillTokensPerSecond: null,
    restarted: false,
    ranks: [],
  })
  expect(snapshotLine(shot)).toBe(
    '12:30:45 http://gpu:30000 running 3 queued 0 KV 50% generated 600.0 tok/s prompt – tok/s',
  )
})

test('of a server that is lost nothing is told but why', () => {
  const shot = shotOf([{ running: 3 }], 'connection\u001b[31m refused')
  expect(shot).toMatchObject({ reachable: false, running: null, kvCacheUsage: null, restarted: null })
  expect(snapshotLine(shot)).toBe('12:30:45 http://gpu:30000 connection refused')
  expect(snapshotText(shot)).toMatch(/^http:\/\/gpu:30000 .*\n {2}no answer {4}connection refused\n$/)
})

test('as text each figure has a line, unknown ones a dash', () => {
  const rank = { name: '0', running: 1, queued: 2, kvUsedTokens: 1024, kvCapacityTokens: 4096 }
  const text = snapshotText(shotOf([{ running: 3, ranks: [rank] }]))
  expect(text).toMatch(/^ {2}running {6}3$/m)
  expect(text).toMatch(/^ {2}queued {7}–$/m)
  expect(text).toMatch(/^ {2}rank 0 {7}running 1, queued 2, KV 1K of 4K$/m)
  expect(text).not.toContain('state slots')
})

test('a page that failed is told beside what the other one gave', () => {
  const shot = shotOf([{ running: 3, missed: [{ source: 'metrics', message: 'timed out' }] }])
  expect(snapshotLine(shot)).toContain('(no answer from metrics: timed out)')
})
