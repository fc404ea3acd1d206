import { expect, test } from 'vitest'
import type { Cause, Finding } from '../../src/domain/finding.ts'
import { describeFinding, flagText } from '../../src/tui/explain-text.ts'

const of = (cause: Cause, basis: Finding['basis'] = 'measured') =>
  describeFinding({ ...cause, basis, flags: [] })

test.each<readonly [Cause, RegExp]>([
  [{ kind: 'being-measured' }, /^it is being measured/],
  [{ kind: 'request-limit', running: 31, limit: 32 }, /ran 31, and it runs at most 32 at once/],
  [{ kind: 'kv-full', usage: 0.93, retractions: null }, /up to 93% full while requests waited$/],
  [{ kind: 'kv-full', usage: null, retractions: 3 }, /up to – full, and it took back 3 running requests$/],
  [{ kind: 'queue', running: null }, /ran –, and no limit .* not known$/],
  [{ kind: 'throttle', reason: 'power-cap', share: 0.6 }, /held down by power limit in 60% of the looks/],
  [{ kind: 'stalls', share: 0.123 }, /^12\.3% of the streams' time/],
  [{ kind: 'graph-batch', running: 20, largest: 16 }, /batch of 20 requests is larger than the 16/],
  [{ kind: 'acceptance', accepted: 2.84, most: 4 }, /brought 2\.84 tokens for each request, of 4 at most/],
  [{ kind: 'one-stream', stepMs: 10.6 }, /^a step took 11 ms with one request/],
  [
    { kind: 'not-the-server', reason: { kind: 'foreign-load', detail: 'not-drained', running: 2 } },
    /still ran 2 other requests/,
  ],
  [
    { kind: 'no-room', limit: { kind: 'kv-cache', needed: 9000, available: 8000 } },
    /holds only 8,000 tokens; this cell needs 9,000/,
  ],
])('%o is told in a sentence', (cause, sentence) => {
  expect(of(cause)).toMatch(sentence)
})

test('streams that share a step well are worth adding to, others are not', () => {
  const steps = { kind: 'steps', stepMs: 12, aloneMs: 10, streams: 8 } as const
  // 8 × 0.8
  expect(of({ ...steps, scaling: 0.8 })).toMatch(
    /8 at once are 6\.4 times as fast as one: the batch costs little/,
  )
  expect(of({ ...steps, scaling: 0.3 })).toMatch(/2\.4 times as fast as one: the batch itself takes the time/)
})

test('state slots that are not all in use are only a likely cause', () => {
  const slots = { kind: 'state-slots', usage: 0.8 } as const
  expect(of(slots)).not.toMatch(/set aside/)
  expect(of(slots, 'inferred')).toMatch(/no other limit was reached/)
})

test('a flag stands with what the server says of it', () => {
  expect(flagText({ flag: '--x', setting: '32' })).toBe('--x (32 now)')
  expect(flagText({ flag: '--x', setting: null })).toBe('--x (not set)')
  expect(flagText({ flag: '--x' })).toBe('--x')
})
