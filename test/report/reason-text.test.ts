import { expect, test } from 'vitest'
import type { Reason } from '../../src/domain/verdict.ts'
import { describeReason, reasonSentence } from '../../src/report/reason-text.ts'

/** One of each kind and detail; a kind that is missing here is a type error. */
const reasons: { readonly [Kind in Reason['kind']]: Reason & { readonly kind: Kind } } = {
  'requests-queued': { kind: 'requests-queued', queuedShare: 0.5, meanInFlight: 1.5, wanted: 2 },
  'foreign-load': { kind: 'foreign-load', detail: 'tokens', agreement: 1.1, tolerance: 0.01 },
  'client-limited': { kind: 'client-limited', loopDelayP99Ms: 30, loopUtilisation: 0.99 },
  'client-busy': { kind: 'client-busy', loopDelayP99Ms: null, loopUtilisation: 0.5 },
  'accounting-mismatch': { kind: 'accounting-mismatch', agreement: 0.9, tolerance: 0.01 },
  unsteady: { kind: 'unsteady', firstMs: 10, lastMs: 12 },
  'streams-stalled': { kind: 'streams-stalled', streams: 1, of: 8, longestMs: 4000 },
  retracted: { kind: 'retracted', retractions: 3 },
  'requests-failed': { kind: 'requests-failed', failed: 1, started: 8, example: 'HTTP 500' },
  'no-tokens': { kind: 'no-tokens' },
  'tokens-estimated': { kind: 'tokens-estimated', counting: 'chunks' },
  'kv-tight': { kind: 'kv-tight', needed: 100, available: 90 },
  'cache-hit': { kind: 'cache-hit', cachedTokens: 100, promptTokens: null },
  'cache-cold': { kind: 'cache-cold', detail: 'average', requests: 4, meanTokens: 4000, limitTokens: 512 },
  'few-samples': { kind: 'few-samples', n: 3 },
  'prompt-length-unknown': { kind: 'prompt-length-unknown' },
  'chunks-together': { kind: 'chunks-together', share: 0.875 },
  'ended-early': { kind: 'ended-early', requests: 2, of: 9, meanTokens: 80, askedTokens: 1000 },
  'output-loop': { kind: 'output-loop', requests: 1, of: 4, periodChars: 12, example: 'la la la' },
  failed: { kind: 'failed', message: 'no room' },
  retried: { kind: 'retried', status: 'invalid', kinds: ['foreign-load'] },
  'pass-failed': { kind: 'pass-failed', message: 'no room' },
}

const others: readonly Reason[] = [
  { kind: 'foreign-load', detail: 'not-drained', running: null },
  { kind: 'foreign-load', detail: 'in-window', running: 5, ours: 2, seconds: 3 },
  { kind: 'cache-cold', detail: 'requests', requests: 1, of: 4, mostTokens: 8000, limitTokens: 512 },
]

test.each([...Object.values(reasons), ...others])(
  'a reason that a file tells reads as a sentence: $kind',
  reason => {
    const read: { kind: string } = JSON.parse(JSON.stringify(reason))
    const sentence = reasonSentence(read)
    expect(sentence).not.toMatch(/undefined|NaN|null/)
    // What is not known is told by its kind and fields.
    expect(sentence).not.toBe(reasonSentence({ ...read, kind: `${reason.kind}-of-another-version` }))
    expect(sentence).not.toContain(`${reason.kind.replaceAll('-', ' ')}, `)
  },
)

test('a reason is told the same from a run and from its file', () => {
  const reason: Reason = { kind: 'foreign-load', detail: 'in-window', running: 5, ours: 2, seconds: 3 }
  expect(reasonSentence({ ...reason })).toBe(describeReason(reason))
  expect(describeReason(reason)).toBe(
    'requests of someone else ran during the window: server 5.0 running, ours 2.0',
  )
})

test('steps that seem to have kept their pace to the digit shown are told by how much they did not', () => {
  expect(describeReason({ kind: 'unsteady', firstMs: 1.35, lastMs: 1.44 })).toBe(
    'the steps did not keep their pace: 1.4 ms in the first third, 1.4 ms in the last, 7% longer',
  )
})

test('a reason of another version or tool is told in its own words', () => {
  expect(reasonSentence({ kind: 'moon-phase', phase: 'full', share: 0.5, more: { a: 1 } })).toBe(
    'moon phase, phase full, share 0.5',
  )
  expect(reasonSentence({ kind: 'imported', message: 'a\u001b[2Jb' })).toBe('imported, ab')
  expect(reasonSentence({ kind: 'retracted' })).toBe('retracted')
})
