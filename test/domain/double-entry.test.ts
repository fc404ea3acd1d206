import { describe, expect, test } from 'vitest'
import { doubleEntry } from '../../src/domain/double-entry.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { missedMetrics, pass, sample, trace } from './build.ts'

/** Ten seconds from 10 s on, 2 tokens of ours in each 20 ms; the server's counter at these times. */
function counted(readings: readonly Partial<ServerSample>[], firstTokensAt: readonly number[] = []) {
  const traces = firstTokensAt.map(firstTokenAt => trace({ firstTokenAt }))
  const window = { from: 10_000, to: 20_000, sliceMs: 1000 }
  const samples = readings.map(one => sample({ tookMs: 20, ...one }))
  return doubleEntry([pass({ window, binTokens: Array(500).fill(2), samples, traces })], 4, 2)
}

/** Middles of the scrapes at 11 s and 19 s: 8 s, 800 tokens of ours. */
const from = { at: 11_010, realtimeDecodeTokens: 5000 }
const to = { at: 19_010, realtimeDecodeTokens: 5800 }

test('the server’s tokens between two scrapes are held against ours between their middles', () => {
  // 1 % + 40 ms / 8 s + 2 × 4 × 2 / 800
  expect(counted([from, to])).toEqual({ agreement: 1, tolerance: 0.01 + 0.005 + 0.02 })
})

test('a bin that a scrape falls into counts by the part before it', () => {
  // 10.505 s to 19 s: 849.5 tokens of ours
  expect(counted([{ at: 10_515, realtimeDecodeTokens: 5000 }, to])?.agreement).toBeCloseTo(800 / 849.5, 12)
})

test('first tokens come from the prefill: a counter of decode steps does not have them', () => {
  // two of the three came between the scrapes
  const firsts = [10_500, 12_000, 18_000]
  expect(counted([from, { ...to, realtimeDecodeTokens: 5798 }], firsts)?.agreement).toBe(1)
  const withThem = { countsFirstTokens: true }
  expect(
    counted(
      [
        { ...from, ...withThem },
        { ...to, ...withThem },
      ],
      firsts,
    )?.agreement,
  ).toBe(1)
})

describe('nothing is said', () => {
  test.each([
    ['with one scrape', [from]],
    ['without the counter', [{ at: 11_000 }, { at: 19_000 }]],
    ['by scrapes outside the window', [{ ...from, at: 9000 }, to]],
    ['by scrapes of more than half a second', [{ ...from, tookMs: 501 }, to]],
    ['by looks that partly failed', [{ ...from, missed: missedMetrics }, to]],
    ['when the counter fell: the server was restarted', [from, { at: 15_000, realtimeDecodeTokens: 3 }, to]],
  ])('%s', (_, readings) => {
    expect(counted(readings)).toBeNull()
  })

  test('when nothing of ours arrived', () => {
    const samples = [sample(from), sample(to)]
    const window = { from: 10_000, to: 20_000, sliceMs: 1000 }
    expect(doubleEntry([pass({ window, binTokens: Array(500).fill(0), samples })], 4, null)).toBeNull()
  })
})

test('passes are added up', () => {
  const window = { from: 10_000, to: 20_000, sliceMs: 1000 }
  const one = (end: number) =>
    pass({
      window,
      binTokens: Array(500).fill(2),
      samples: [from, { ...to, realtimeDecodeTokens: end }].map(it => sample({ tookMs: 20, ...it })),
    })
  // 800 and 880 of 1600
  expect(doubleEntry([one(5800), one(5880)], 4, 2)?.agreement).toBeCloseTo(1.05, 12)
})
