import { expect, test } from 'vitest'
import { foreignLoad } from '../../src/domain/foreign-load.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { pass, sample, trace } from './build.ts'

/** Two streams of ours through a window from 10 s to 20 s, and the server's count each 500 ms from 10.5 s on. */
function withRunning(...running: readonly (number | null)[]) {
  return passWith(running.map((count, index) => ({ at: 10_500 + index * 500, running: count })))
}

function passWith(samples: readonly Partial<ServerSample>[]) {
  const ours = trace({ purpose: 'launch', writtenAt: 9000, endedAt: 20_100 })
  return pass({ traces: [ours, ours], samples: samples.map(one => sample(one)) })
}

test('what the server runs beside ours for 2 s is somebody else’s, with the numbers', () => {
  expect(foreignLoad(withRunning(2, 5, 5, 5, 5, 5, 2))).toEqual([
    { kind: 'foreign-load', detail: 'in-window', running: 5, ours: 2, seconds: 2 },
  ])
})

test('less than 2 s may be a request of ours that just ended', () => {
  expect(foreignLoad(withRunning(2, 3, 3, 3, 3, 2))).toEqual([])
  expect(foreignLoad(withRunning(3, 3, 2, 3, 3, 2, 3, 3, 2))).toEqual([])
})

test('half a request more is more, a smaller mean is not', () => {
  expect(foreignLoad(withRunning(2.5, 2.5, 2.5, 2.5, 2.5))).toHaveLength(1)
  expect(foreignLoad(withRunning(2.4, 2.4, 2.4, 2.4, 2.4))).toEqual([])
})

test('stale counts, missing counts and samples outside the window prove nothing', () => {
  expect(foreignLoad(withRunning(null, null, null, null, null, null))).toEqual([])
  const busy = [0, 1, 2, 3, 4, 5].map(index => ({ at: 10_500 + index * 500, running: 9 }))
  expect(foreignLoad(passWith(busy.map(one => ({ ...one, fresh: false }))))).toEqual([])
  expect(foreignLoad(passWith(busy.map(one => ({ ...one, at: one.at - 5000 }))))).toEqual([])
})
