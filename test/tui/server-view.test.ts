import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import type { ServerTitle } from '../../src/tui/server-panel.ts'
import { serverViewLines } from '../../src/tui/server-view.ts'
import { paint } from '../../src/tui/theme.ts'
import { sample, server } from '../domain/build.ts'

const connected: RunEvent = {
  at: 0,
  kind: 'server-connected',
  server: server({ metrics: true, loads: true }),
}

/** The view after these samples, `laterMs` after the last of them. */
function shown(
  samples: readonly Partial<ServerSample>[],
  laterMs = 0,
  height = 20,
  title?: ServerTitle,
): string {
  const events = samples.map(
    (one, index): RunEvent => ({
      at: 1000 * (index + 1),
      kind: 'server-sampled',
      sample: sample({ at: 1000 * (index + 1), ...one }),
    }),
  )
  const state = foldRun([connected, ...events])
  const lines = serverViewLines(state, 1000 * samples.length + laterMs, { width: 80, height }, title)
  return lines.map(line => paint(line, { colours: 0, ascii: false })).join('\n')
}

const rank = (name: string, running: number) => ({
  name,
  running,
  queued: 0,
  kvUsedTokens: 2048,
  kvCapacityTokens: 4096,
})

test('what the server does not tell is unknown, and no course is drawn for it', () => {
  const text = shown([{ running: 3 }, { running: 3 }])
  expect(text).toMatch(/running 3 /)
  for (const name of ['queued', 'generated tok/s', 'prompt tok/s', 'KV cache'])
    expect(text).toMatch(new RegExp(`${name} –`))
  expect(text).toMatch(/accepted – {2}retracted – {2}cached prompt –/)
})

test('speeds are told by counters: the increase of one second', () => {
  const text = shown([
    { realtimeDecodeTokens: 1000, realtimePrefillTokens: 100, realtimeCachedTokens: 0 },
    { realtimeDecodeTokens: 1500, realtimePrefillTokens: 300, realtimeCachedTokens: 600 },
  ])
  expect(text).toMatch(/generated tok\/s 500\.0/)
  expect(text).toMatch(/prompt tok\/s 200\.0/)
  // 600 of 200 + 600
  expect(text).toMatch(/cached prompt 75%/)
})

test('a server whose counters fell counts anew, and has a badge for a minute where no header tells of it', () => {
  const samples = [
    { realtimeDecodeTokens: 1000, retractions: 5 },
    { realtimeDecodeTokens: 10, retractions: 0 },
    { realtimeDecodeTokens: 30, retractions: 2 },
  ]
  const watched = { name: '127.0.0.1:30000', about: '', tellsRestart: true }
  expect(shown(samples, 0, 20, watched)).toMatch(/RESTARTED 1 s ago$/m)
  expect(shown(samples, 60_000, 20, watched)).not.toMatch(/RESTARTED/)
  expect(shown(samples)).not.toMatch(/RESTARTED/)
  expect(shown(samples)).toMatch(/retracted 2 /)
})

test('an old sample is stale', () => {
  expect(shown([{ running: 1 }], 7000)).toMatch(/STALE 7 s$/m)
})

test('ranks have a table, and those without room are counted', () => {
  const ranks = [rank('0', 5), rank('1', 7)]
  expect(shown([{ ranks }])).toMatch(/rank +running +queued +KV +tokens\n +0 +5 +0 +50% +2K of 4K\n +1 +7/)
  const many = Array.from({ length: 16 }, (_, index) => rank(String(index), index))
  expect(shown([{ ranks: many }])).toMatch(/\n +0 +0 .*\n +1 +1 .*\n +2 +2 .*\n13 more$/)
  expect(shown([{ running: 1 }])).not.toContain('rank')
})

test('a scrape that failed is told in words', () => {
  expect(shown([{ missed: [{ source: 'metrics', message: 'timed\u001b[2J out' }] }])).toContain(
    'no answer from metrics: timed out',
  )
})

test('in a small area it is the panel, down to one line', () => {
  expect(shown([{ running: 3 }], 0, 8)).toMatch(/running +3/)
  expect(shown([{ running: 3 }], 0, 1)).toMatch(/^Server KV – {2}running 3/)
})
