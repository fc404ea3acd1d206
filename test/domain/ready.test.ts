import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import type { LoadTick } from '../../src/domain/load-record.ts'
import { isDead, isHopeless, isLatched, readyTimeoutMs } from '../../src/domain/ready.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { Job, RunState } from '../../src/domain/run-state.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { failed, options, refused, sample, tick, trace } from './build.ts'

const launchedAt = 1000

/** A cell whose streams were launched at 1000 ms. */
function launched(ticks: readonly Partial<LoadTick>[], samples: readonly Partial<ServerSample>[] = []): Job {
  const { job } = foldRun([
    { at: 0, kind: 'job-started', target: { kind: 'cell', cell: 0 } },
    { at: launchedAt, kind: 'phase-entered', phase: 'launch' },
    ...ticks.map(one => ({ at: one.at ?? 0, kind: 'load-ticked', tick: tick(one) }) as const),
    ...samples.map(one => ({ at: one.at ?? 0, kind: 'server-sampled', sample: sample(one) }) as const),
  ])
  if (job === null) throw new Error('a job was started')
  return job
}

describe('a cell is ready', () => {
  test('when every stream has had its first token once', () => {
    expect(isLatched(launched([]), 4)).toBe(false)
    expect(isLatched(launched([{ at: 1200, started: 3 }]), 4)).toBe(false)
    expect(isLatched(launched([{ at: 1200, started: 4 }]), 4)).toBe(true)
  })

  test('even if streams have ended since: at high restart rates they are never all active at once', () => {
    expect(isLatched(launched([{ at: 1200, started: 4, active: 0, waiting: 1 }]), 4)).toBe(true)
  })

  test('when the server runs 98 % of them, where it tells that freshly', () => {
    // 0.98 × 50 = 49
    const ticks = [{ at: 1200, started: 50 }]
    expect(isLatched(launched(ticks, [{ at: 1300, running: 48 }]), 50)).toBe(false)
    expect(isLatched(launched(ticks, [{ at: 1300, running: 49 }]), 50)).toBe(true)
  })

  test('by the latest sample, which has to be one since the launch', () => {
    const ticks = [{ at: 1200, started: 1 }]
    expect(isLatched(launched(ticks, [{ at: 999, running: 1 }]), 1)).toBe(false)
    expect(
      isLatched(
        launched(ticks, [
          { at: 1100, running: 1 },
          { at: 1300, running: 0 },
        ]),
        1,
      ),
    ).toBe(false)
    expect(
      isLatched(
        launched(ticks, [
          { at: 1100, running: 0 },
          { at: 1300, running: 1 },
        ]),
        1,
      ),
    ).toBe(true)
  })

  test('when the server kept some in its queue for 3 s after each had its turn: it will never run them all', () => {
    const ticks = [{ at: 1200, started: 4 }]
    const queued = (from: number, to: number, depth: number) =>
      Array.from({ length: (to - from) / 200 + 1 }, (_, index) => ({
        at: from + index * 200,
        running: 2,
        queued: depth,
      }))
    expect(isLatched(launched(ticks, queued(1200, 4000, 2)), 4)).toBe(false)
    expect(isLatched(launched(ticks, queued(1200, 4200, 2)), 4)).toBe(true)
    expect(isLatched(launched(ticks, queued(1200, 4200, 0)), 4)).toBe(false)
    expect(isLatched(launched([{ at: 1200, started: 3 }], queued(1200, 4200, 2)), 4)).toBe(false)
  })

  test('without regard to stale or missing counts', () => {
    const ticks = [{ at: 1200, started: 4 }]
    expect(isLatched(launched(ticks, [{ at: 1300, fresh: false, running: 0 }]), 4)).toBe(true)
    expect(isLatched(launched(ticks, [{ at: 1300, running: null }]), 4)).toBe(true)
  })
})

describe('the wait for that', () => {
  const start: RunEvent = {
    at: 0,
    kind: 'run-started',
    runId: 'r',
    wallTime: '2026-01-01T00:00:00Z',
    command: 'tokgrid run',
    options,
    promptSet: { version: '1', hash: '', nonce: '' },
  }
  const fit = { kind: 'fits' } as const
  const planned = (readyTimeoutSeconds: number | null) =>
    foldRun([
      { ...start, options: { ...options, readyTimeoutSeconds } },
      {
        at: 1,
        kind: 'matrix-planned',
        plan: {
          prefill: [8192, 16_384, 32_768].map(contextTokens => ({ contextTokens, fit })),
          cells: [{ contextTokens: 16_384, concurrency: 32, fit }],
        },
      },
    ])
  const measured = (state: RunState, ...ttfts: readonly (number | null)[]): RunState => ({
    ...state,
    prefill: state.prefill.map((row, index) => {
      const ttftMs = ttfts[index] ?? null
      const summary = ttftMs === null ? null : { promptTokens: 1, ttftMs, tokensPerSecond: 1, samples: [] }
      return { ...row, summary }
    }),
  })
  const timeout = (state: RunState) => {
    const cell = state.cells[0]
    if (cell === undefined) throw new Error('a cell was planned')
    return readyTimeoutMs(state, cell)
  }

  test('lasts 30 s when nothing is known of the prefill', () => {
    expect(timeout(planned(null))).toBe(30_000)
  })

  test('lasts twice the time to read all prompts anew, by the row of that context', () => {
    // 2 × 1 s × 32 streams
    expect(timeout(measured(planned(null), 500, 1000, 3000))).toBe(64_000)
  })

  test('goes by the next longer row where the own one was not measured, never by a shorter one', () => {
    // 2 × 3 s × 32
    expect(timeout(measured(planned(null), 500, null, 3000))).toBe(192_000)
    expect(timeout(measured(planned(null), 5000, null, null))).toBe(30_000)
  })

  test('is never shorter than 30 s, unless asked', () => {
    expect(timeout(measured(planned(null), null, 100, null))).toBe(30_000)
    expect(timeout(measured(planned(5), null, 1000, null))).toBe(5000)
  })
})

const fails = (count: number) => Array.from({ length: count }, () => failed(refused))

describe('a launch is hopeless', () => {
  test('when no stream had a token, and as many failed as there are streams', () => {
    expect(isHopeless(launched([{ at: 1200, ended: fails(7) }]), 8)).toBe(false)
    expect(
      isHopeless(
        launched([
          { at: 1200, ended: fails(7) },
          { at: 1400, ended: fails(1) },
        ]),
        8,
      ),
    ).toBe(true)
  })

  test('of few streams, after three failures', () => {
    expect(isHopeless(launched([{ at: 1200, ended: fails(2) }]), 1)).toBe(false)
    expect(isHopeless(launched([{ at: 1200, ended: fails(3) }]), 1)).toBe(true)
  })

  test('not when a stream had a token, or when requests ended otherwise', () => {
    expect(isHopeless(launched([{ at: 1200, started: 1, ended: fails(9) }]), 8)).toBe(false)
    expect(isHopeless(launched([{ at: 1200, ended: Array.from({ length: 9 }, () => trace()) }]), 8)).toBe(
      false,
    )
  })

  test('not because of warm-ups that failed before', () => {
    const { job } = foldRun([
      { at: 0, kind: 'job-started', target: { kind: 'cell', cell: 0 } },
      { at: 10, kind: 'phase-entered', phase: 'requests' },
      { at: 900, kind: 'requests-ended', traces: fails(7) },
      { at: launchedAt, kind: 'phase-entered', phase: 'launch' },
      { at: 1200, kind: 'load-ticked', tick: tick({ at: 1200, waiting: 7, ended: fails(1) }) },
    ])
    if (job === null) throw new Error('a job was started')
    expect(isHopeless(job, 8)).toBe(false)
  })
})

describe('a server is gone', () => {
  /** A tick every 200 ms from 1200 ms on; `change` says what is special at a time. */
  const ticking = (to: number, change: (at: number) => Partial<LoadTick>) =>
    launched(
      Array.from({ length: (to - 1000) / 200 }, (_, index) => {
        const at = 1200 + index * 200
        return { at, started: 4, ...change(at) }
      }),
    )

  test('when for 5 s nothing has arrived and the streams fail', () => {
    const gone = (to: number) =>
      ticking(to, at => ({ tokens: at <= 2000 ? 10 : 0, ended: at === 2200 ? fails(4) : [] }))
    // the last tokens are in the tick at 2000: the ticks after 2000, up to 7000, are empty
    expect(isDead(gone(6800), 4)).toBe(false)
    expect(isDead(gone(7000), 4)).toBe(true)
  })

  test('not before it has been watched for 5 s', () => {
    expect(
      isDead(
        ticking(5800, at => ({ ended: at === 1200 ? fails(9) : [] })),
        4,
      ),
    ).toBe(false)
  })

  test('not while tokens come', () => {
    expect(
      isDead(
        ticking(9000, at => ({ tokens: at === 6000 ? 1 : 0, ended: fails(4) })),
        4,
      ),
    ).toBe(false)
  })

  test('not because it reads a long prompt after a failure long ago', () => {
    const reading = ticking(15_000, at => ({
      tokens: at <= 8000 ? 10 : 0,
      waiting: at > 8000 ? 4 : 0,
      ended: at === 1400 ? fails(4) : [],
    }))
    expect(isDead(reading, 4)).toBe(false)
  })

  test('not because it is silent', () => {
    expect(
      isDead(
        ticking(15_000, () => ({ tokens: 0 })),
        4,
      ),
    ).toBe(false)
    expect(isDead(launched([]), 4)).toBe(false)
  })
})
