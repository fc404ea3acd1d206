import { describe, expect, test } from 'vitest'
import { isIdle, isMute } from '../../src/domain/drain.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { Job } from '../../src/domain/run-state.ts'
import type { ServerFeatures } from '../../src/domain/server-facts.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { bare, missedMetrics, sample } from './build.ts'

const startedAt = 1000

/** A job that began to wait at 1000 ms and has seen these samples. */
function waiting(samples: readonly ServerSample[]): Job {
  const { job } = foldRun([
    { at: startedAt, kind: 'job-started', target: { kind: 'final-drain' } },
    ...samples.map(one => ({ at: one.at, kind: 'server-sampled', sample: one }) as const),
  ])
  if (job === null) throw new Error('a job was started')
  return job
}

const idle = (features: Partial<ServerFeatures>, ...samples: readonly Partial<ServerSample>[]) =>
  isIdle({ ...bare, ...features }, waiting(samples.map(one => sample(one))))

/** The same sample every 200 ms from `from` to `to`. */
const steadily = (from: number, to: number, reading: Partial<ServerSample>) =>
  Array.from({ length: (to - from) / 200 + 1 }, (_, index) => ({ ...reading, at: from + index * 200 }))

test('a server that reports nothing is not waited for', () => {
  expect(idle({})).toBe(true)
})

test('a server that reports is busy until it was looked at', () => {
  expect(idle({ loads: true })).toBe(false)
  expect(idle({ metrics: true })).toBe(false)
})

describe('a server with fresh counts', () => {
  const loads = { loads: true, metrics: true, realtimeCounters: true }

  test('is idle as soon as nothing runs and nothing waits', () => {
    expect(idle(loads, { at: 1200, running: 0, queued: 0 })).toBe(true)
    expect(idle(loads, { at: 1200, running: 0, queued: null })).toBe(true)
    expect(idle(loads, { at: 1200, running: 1, queued: 0 })).toBe(false)
    expect(idle(loads, { at: 1200, running: 0, queued: 1 })).toBe(false)
  })

  test('is judged by its latest sample', () => {
    const busy = { running: 4, queued: 0 }
    const quiet = { running: 0, queued: 0 }
    expect(idle(loads, { ...busy, at: 1200 }, { ...quiet, at: 1400 })).toBe(true)
    expect(idle(loads, { ...quiet, at: 1200 }, { ...busy, at: 1400 })).toBe(false)
  })

  test('is not judged by what was seen before the wait began', () => {
    expect(idle(loads, { at: 999, running: 0, queued: 0 })).toBe(false)
  })

  test('is busy however long it runs the same requests', () => {
    expect(idle(loads, ...steadily(1200, 61_200, { running: 2, queued: 0 }))).toBe(false)
  })

  test('is busy while the KV cache fills: a prompt that is being read neither runs nor waits', () => {
    const reading = { running: 0, queued: 0, kvUsedTokens: 8192 }
    expect(idle(loads, { ...reading, at: 1200 })).toBe(false)
    expect(
      idle(loads, ...steadily(1200, 2000, reading), { ...reading, at: 2200, kvUsedTokens: 16_384 }),
    ).toBe(false)
    expect(idle(loads, { at: 1200, running: 0, queued: 0, kvUsedTokens: 0 })).toBe(true)
  })

  test('is idle when a KV cache that keeps old prompts has stood still for a second', () => {
    const cached = { running: 0, queued: 0, kvUsedTokens: 8192 }
    expect(idle(loads, ...steadily(1200, 2000, cached))).toBe(false)
    expect(idle(loads, ...steadily(1200, 2200, cached))).toBe(true)
  })

  test('that did not answer is not taken for idle', () => {
    const missed = [{ source: 'loads', message: 'timed out' }] as const
    expect(idle(loads, { at: 1200, fresh: false, running: null, missed })).toBe(false)
    expect(idle(loads, ...steadily(1200, 61_200, { fresh: false, missed }))).toBe(false)
  })
})

describe('a server with live counters', () => {
  const counters = { metrics: true, realtimeCounters: true }
  /** Its gauges are stale and must not matter. */
  const reading = { fresh: false, running: 7, realtimeDecodeTokens: 500, realtimePrefillTokens: 90 }

  test('is idle when every counter has stood still for 3 s', () => {
    expect(idle(counters, ...steadily(1200, 4200, reading))).toBe(true)
    expect(idle(counters, ...steadily(1200, 4000, reading))).toBe(false)
  })

  test('is busy while any of them moves', () => {
    const moved = { ...reading, at: 4200, realtimePrefillTokens: 91 }
    expect(idle(counters, ...steadily(1200, 4000, reading), moved)).toBe(false)
    const still = { ...reading, realtimePrefillTokens: 91 }
    expect(idle(counters, ...steadily(1200, 4000, reading), ...steadily(4200, 7000, still))).toBe(false)
    expect(idle(counters, ...steadily(1200, 4000, reading), ...steadily(4200, 7200, still))).toBe(true)
  })

  test('is waited for anew after a failed look', () => {
    const missed = { fresh: false, missed: missedMetrics }
    expect(idle(counters, ...steadily(1200, 4200, reading), { ...missed, at: 4400 })).toBe(false)
    const gap = [...steadily(1200, 3000, reading), { ...missed, at: 3200 }]
    expect(idle(counters, ...gap, ...steadily(3400, 6200, reading))).toBe(false)
    expect(idle(counters, ...gap, ...steadily(3400, 6400, reading))).toBe(true)
  })

  test('whose counters are not there yet has not moved: they appear with the first request', () => {
    expect(idle(counters, ...steadily(1200, 4200, { fresh: false }))).toBe(true)
  })
})

describe('a server with gauges only', () => {
  const gauges = { metrics: true }
  const busy = { fresh: false, running: 3, queued: 0, kvUsedTokens: 5000 }

  test('is idle as soon as they say so', () => {
    expect(idle(gauges, { at: 1200, fresh: false, running: 0, queued: 0 })).toBe(true)
    expect(idle(gauges, { at: 1200, fresh: false, running: 0, queued: 2 })).toBe(false)
  })

  test('is idle when they have not moved for 35 s: they are stale for up to 30 s, in old versions for good', () => {
    expect(idle(gauges, ...steadily(1200, 36_000, busy))).toBe(false)
    expect(idle(gauges, ...steadily(1200, 36_200, busy))).toBe(true)
  })

  test('is busy while they move, however long that is', () => {
    const moving = steadily(1200, 61_200, busy).map((one, index) => ({ ...one, kvUsedTokens: 5000 + index }))
    expect(idle(gauges, ...moving)).toBe(false)
  })

  test('is not taken for idle by a look that failed', () => {
    expect(idle(gauges, { at: 1200, fresh: false, missed: missedMetrics })).toBe(false)
  })

  test('is not waited for when none of them tells what runs', () => {
    expect(idle(gauges, { at: 1200, fresh: false, kvUsedTokens: 5000 })).toBe(true)
  })
})

describe('a server that answers no look', () => {
  const unanswered = (from: number, to: number) =>
    steadily(from, to, { fresh: false, running: null, missed: missedMetrics }).map(one => sample(one))

  test('is waited for no longer than 10 s', () => {
    // the wait began at 1000 ms
    expect(isMute(waiting(unanswered(1200, 10_800)), 10_999)).toBe(false)
    expect(isMute(waiting(unanswered(1200, 10_800)), 11_000)).toBe(true)
  })

  test('is waited for when it answered once since the wait began', () => {
    const once = sample({ at: 1200, running: 3 })
    expect(isMute(waiting([once, ...unanswered(1400, 60_000)]), 60_000)).toBe(false)
  })

  test('is not taken for mute before it was looked at', () => {
    expect(isMute(waiting([]), 60_000)).toBe(false)
  })
})
