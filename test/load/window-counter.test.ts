import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { WindowCounter } from '../../src/load/window-counter.ts'

function opened(from: number, to: number, sliceMs = 1000, now = from): WindowCounter {
  const counter = new WindowCounter({ from, to, sliceMs }, now)
  onTestFinished(() => void counter.close(to))
  return counter
}

test('the window holds its first instant and not its last', () => {
  const counter = opened(1000, 4000)
  expect([999.999, 1000, 3999.999, 4000].map(at => counter.holds(at))).toEqual([false, true, true, false])
})

test('a chunk counts in the slice that its stamp falls into', () => {
  const counter = opened(1000, 3500)
  counter.count(1000, 1, null)
  counter.count(1999.999, 2, null)
  counter.count(2000, 4, null)
  counter.count(3499.999, 8, null)
  counter.count(2500, null, null)
  expect(counter.close(9000)).toMatchObject({
    window: { from: 1000, to: 3500, sliceMs: 1000 },
    sliceTokens: [3, 4, 8],
    sliceChunksUncounted: [0, 1, 0],
  })
})

test('rounding of the time stamps makes no slice of its own', () => {
  const from = 2768.3
  const to = from + 30_000
  expect((to - from) / 1000).toBeGreaterThan(30)
  const counts = opened(from, to).close(to)
  expect(counts?.sliceTokens).toHaveLength(30)
})

test('a window closed early ends there, with the slices it had', () => {
  const counter = opened(1000, 5000)
  counter.count(2100, 7, null)
  expect(counter.close(2500)).toMatchObject({
    window: { from: 1000, to: 2500 },
    sliceTokens: [0, 7],
    sliceChunksUncounted: [0, 0],
  })
})

test('a window closed before it opened has no counts', () => {
  expect(opened(1000, 5000, 1000, 900).close(1000)).toBeNull()
})

test('tokens are kept in bins of 20 ms, too, a cut one at the end included', () => {
  const counter = new WindowCounter({ from: 0, to: 100, sliceMs: 100 }, 0)
  counter.count(0, 1, null)
  counter.count(19.9, 2, null)
  counter.count(20, 4, null)
  counter.count(59, null, null)
  expect(counter.close(70)).toMatchObject({
    binTokens: [3, 4, 0, 0],
    binChunksUncounted: [0, 0, 1, 0],
  })
})

test('gaps are kept for each third of the window in which they ended', () => {
  const counter = new WindowCounter({ from: 0, to: 300, sliceMs: 100 }, 0)
  for (const [at, gapMs] of [
    [0, 5],
    [99, 6],
    [100, 7],
    [299, 8],
  ] as const)
    counter.count(at, 1, gapMs)
  const medians = counter
    .close(300)
    ?.gapThirds.map(third => third.map(([microseconds]) => Math.round(microseconds / 1000)))
  expect(medians).toEqual([[5, 6], [7], [8]])
})

test('gaps keep their length within 0.1 %, at most ten minutes', () => {
  const counter = opened(0, 1000)
  for (const gapMs of [0, 12.345, 12.345, 876.543, 61_234.567, 700_000]) counter.count(1, 1, gapMs)
  const gaps = counter.close(1000)?.gaps ?? []
  expect(gaps.map(([, count]) => count)).toEqual([1, 2, 1, 1, 1])
  for (const [index, microseconds] of [0, 12_345, 876_543, 61_234_567, 600_000_000].entries())
    expect(Math.abs((gaps[index]?.[0] ?? -1) - microseconds)).toBeLessThanOrEqual(microseconds / 1000)
})

test('a thread that was blocked in the window shows in its health', async () => {
  const now = performance.now()
  const counter = opened(now, now + 60_000)
  // The probe needs turns of the loop to start in.
  for (let turn = 0; turn < 3; turn++) await setTimeout(5)
  for (const until = performance.now() + 60; performance.now() < until; );
  await setTimeout(2)
  const client = counter.close(performance.now())?.client
  expect(client?.loopDelayP99Ms).toBeGreaterThan(30)
  expect(client?.loopUtilisation).toBeGreaterThan(0.3)
})

test('a thread that was stuck from the opening to the close was late by all of it', async () => {
  const now = performance.now()
  const counter = opened(now, now + 60_000)
  await setTimeout(1)
  for (const until = performance.now() + 50; performance.now() < until; );
  expect(counter.close(performance.now())?.client.loopDelayP99Ms).toBeGreaterThanOrEqual(50)
})

test('a thread that heard of a window after its opening was late by that', () => {
  expect(opened(1000, 2000, 1000, 1900).close(2100)?.client).toEqual({
    loopDelayP99Ms: 900,
    loopUtilisation: null,
    workers: 1,
  })
})

test('a window that closes before its timer ran has unknown health, not a good one', () => {
  expect(opened(0, 1000).close(500)?.client).toEqual({
    loopDelayP99Ms: null,
    loopUtilisation: null,
    workers: 1,
  })
})
