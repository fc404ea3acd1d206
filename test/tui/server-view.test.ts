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

test('ranks have a table in as many columns as fit, and those without room are counted', () => {
  const many = (length: number) => Array.from({ length }, (_, index) => rank(String(index), index))
  const row = '5 +0 +50% +2K of 4K'
  const head = 'rank +running +queued +KV +tokens'
  // 20 lines hold 3 above the charts, 12 of charts, so 5 of ranks; 80 columns hold two tables of 37.
  expect(shown([{ ranks: [rank('0', 5), rank('1', 5)] }])).toMatch(
    new RegExp(`${head} +${head} *\n +0 +${row} +1 +${row} *$`),
  )
  expect(shown([{ ranks: many(8) }])).toMatch(
    /\n +0 +0 .* 4 +4 .*\n +1 .* 5 +5 .*\n +2 .*\n +3 .* 7 +7 .*K *$/,
  )
  expect(shown([{ ranks: many(16) }])).toMatch(
    /\n +0 .* 3 +3 .*\n +1 .*\n +2 .* 5 +5 .*\n10 ranks without room$/,
  )
  expect(shown([{ ranks: many(16) }], 0, 17)).toMatch(/\n *\n16 ranks without room$/)
  expect(shown([{ running: 1 }])).not.toContain('rank')
})

test('columns of ranks stay where they are when a rank fills up', () => {
  const place = (used: number, running: number) =>
    shown([{ ranks: [{ ...rank('0', running), kvUsedTokens: used, kvCapacityTokens: 100 * 1024 }] }])
      .split('\n')
      .at(-1)
      ?.indexOf(' of 100K')
  expect(place(0, 0)).toBe(place(100 * 1024, 64))
})

test('the scale of requests ends at a whole number, which stands there', () => {
  // Means of seconds: 1.2 would end at 1.2, which is no number of requests.
  const text = shown([{ running: 1 }, { running: 1.2 }])
  expect(text).toMatch(/\n +2┤/)
})

test('the first retraction counts, though its counter appears with it', () => {
  const page = { realtimeDecodeTokens: 1000, retractions: null }
  expect(shown([page, { realtimeDecodeTokens: 2000, retractions: 1 }])).toMatch(/retracted 1 /)
  expect(shown([page, page])).toMatch(/retracted – /)
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
