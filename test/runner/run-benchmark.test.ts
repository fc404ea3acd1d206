import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import { planMatrix } from '../../src/domain/plan.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import { EventLog } from '../../src/runner/event-log.ts'
import { keepJournal } from '../../src/runner/journal.ts'
import { runBenchmark } from '../../src/runner/run-benchmark.ts'
import { options, server } from '../domain/build.ts'
import { FakeHardware, FakeLoad, FakeSampler, VirtualClock } from './fakes.ts'

/** A small run that is planned and waits to be carried out. */
function planned(change: Partial<RunOptions> = {}) {
  const clock = new VirtualClock()
  const log = new EventLog(clock)
  const load = new FakeLoad(clock)
  const sampler = new FakeSampler(clock, () => load.running)
  const events: RunEvent[] = []
  log.subscribe(event => events.push(event))
  const all = { ...options, contexts: [8192], concurrency: [1, 2], ...change }
  const facts = server({ loads: true, metrics: true })
  log.append({
    kind: 'run-started',
    runId: 'small',
    wallTime: clock.wallTime(),
    command: 'tokgrid run',
    options: all,
    promptSet: { version: '1', hash: '0', nonce: '0' },
  })
  log.append({ kind: 'server-connected', server: facts })
  log.append({ kind: 'matrix-planned', plan: planMatrix(all, facts.limits) })
  const run = (hardware: FakeHardware | null = null) =>
    clock.until(runBenchmark({ log, clock, load, sampler, hardware }))
  return { clock, log, load, sampler, events, run }
}

test('a small matrix is measured to its end, each step when its time has come', async () => {
  const { load, sampler, log, events, run } = planned()
  const state = await run()
  expect(load.calls).toEqual([
    // calibration; warm-up and two samples of the prefill row
    ...['send 2 at 1', 'send 1 at 1', 'send 1 at 1', 'send 1 at 1'],
    ...['send 1 at 4', 'launch 1', 'openWindow', 'close'],
    ...['send 1 at 4', 'launch 2', 'openWindow', 'close'],
  ])
  expect(state).toBe(log.state)
  expect(state.ending).toMatchObject({ kind: 'completed', message: null })
  expect(state.prefill).toMatchObject([{ status: 'valid', summary: { ttftMs: 300 } }])
  // 100 tok/s a stream in 30 s
  expect(state.cells).toMatchObject([
    {
      status: 'valid',
      summary: { windowSeconds: 30, outputTokens: 3000, totalTokensPerSecond: { mean: 100 } },
    },
    {
      status: 'valid',
      summary: { windowSeconds: 30, outputTokens: 6000, totalTokensPerSecond: { mean: 200 } },
    },
  ])
  expect(sampler.isStopped).toBe(true)
  expect(sampler.paces.slice(0, 3)).toEqual([200, 1000, 200])
  expect(events.at(-1)?.kind).toBe('run-ended')
})

test('a window is announced ahead and the streams are closed just after it', async () => {
  const { events, run, sampler } = planned({ concurrency: [1], phases: 'decode' })
  await run()
  const announced = events.find(event => event.kind === 'window-announced')
  if (announced?.kind !== 'window-announced') throw new Error('a window was announced')
  const { window } = announced
  expect(window.from - announced.at).toBe(100)
  expect(window.to - window.from).toBe(30_000)
  // The server's counters are read just inside both ends.
  expect(sampler.looks).toEqual([window.from + 10, window.to - 100])
  const closing = events.find(event => event.kind === 'phase-entered' && event.phase === 'close')
  expect(closing?.at).toBe(window.to + 50)
  const launched = events.find(event => event.kind === 'phase-entered' && event.phase === 'launch')
  // 200 ms to the first tick, a look at the server within 200 ms, 1 s to settle
  expect(announced.at - (launched?.at ?? 0)).toBeGreaterThanOrEqual(1200)
  expect(announced.at - (launched?.at ?? 0)).toBeLessThanOrEqual(1400)
})

test('asked to stop it closes the streams, keeps what it had, sees the server idle, and ends', async () => {
  const { clock, log, load, sampler, run } = planned({ phases: 'decode' })
  log.subscribe(event => {
    if (event.kind === 'window-announced') clock.onTime(event.window.from + 10_000, () => log.ask('stop'))
  })
  const state = await run()
  expect(state.ending?.kind).toBe('stopped')
  expect(state.cells).toMatchObject([{ status: 'not-run', summary: null }, { status: 'planned' }])
  // the streams are closed 20 ms after they were asked to
  expect(state.cells[0]?.partial?.windowSeconds).toBeCloseTo(10.02, 9)
  expect(load.calls.at(-1)).toBe('close')
  expect(state.drainedAtEnd).toBe(true)
  expect(sampler.isStopped).toBe(true)
})

test('asked to stop while requests are on their way it does not wait for them', async () => {
  const { log, load, run } = planned()
  log.subscribe(event => {
    if (event.kind === 'phase-entered' && event.phase === 'requests') log.ask('stop')
  })
  const state = await run()
  expect(load.calls).toEqual(['send 2 at 1', 'close'])
  expect(state.ending?.kind).toBe('stopped')
})

test('a run that was ended from outside is left at once', async () => {
  const { clock, log, sampler, run } = planned({ phases: 'decode' })
  const end = {
    kind: 'run-ended',
    ending: 'stopped',
    wallTime: clock.wallTime(),
    message: 'at once',
  } as const
  clock.onTime(3000, () => log.append(end))
  const state = await run()
  expect(state.ending).toMatchObject({ kind: 'stopped', at: 3000 })
  expect(clock.now()).toBe(3000)
  expect(sampler.isStopped).toBe(true)
})

describe('a load thread that dies', () => {
  test.each(['send', 'launch', 'openWindow', 'close'])('in %s ends the run with its error', async call => {
    const { clock, load, sampler, log, run } = planned({ concurrency: [1], phases: 'decode' })
    const error = new Error('the load thread died')
    load.failing = { call, error }
    await expect(run()).rejects.toBe(error)
    expect(sampler.isStopped).toBe(true)
    expect(log.state.ending).toBe(null)
    // Nothing waits for a time to come: the process can end.
    expect(clock.waiting).toBe(0)
  })
})

test('the machine is looked at from the start to the end, so that a cell knows its power', async () => {
  const { clock, log, run } = planned({ concurrency: [1], phases: 'decode' })
  const hardware = new FakeHardware(clock)
  const state = await run(hardware)
  expect(state.hardware).toMatchObject({ host: { cores: 2 } })
  // 100 tok/s at 400 W
  expect(state.cells[0]?.summary?.hardware).toMatchObject({ powerW: { mean: 400 }, tokensPerJoule: 0.25 })
  expect(hardware.isStopped).toBe(true)
  expect(log.state.hardwareSamples.length).toBeGreaterThan(30)
})

test('the machine is left alone when a load thread dies', async () => {
  const { clock, load, run } = planned({ concurrency: [1], phases: 'decode' })
  const hardware = new FakeHardware(clock)
  load.failing = { call: 'launch', error: new Error('the load thread died') }
  await expect(run(hardware)).rejects.toThrow('the load thread died')
  expect(hardware.isStopped).toBe(true)
  expect(clock.waiting).toBe(0)
})

describe('the journal', () => {
  test('has one line for each event, and folds to the state of the run', async () => {
    const { log, run } = planned()
    const lines: string[] = []
    const earlier = log.state.history.map(event => JSON.stringify(event))
    keepJournal(log, line => lines.push(line))
    const state = await run()
    expect(lines.length).toBeGreaterThan(300)
    expect(lines.filter(line => line.includes('\n'))).toEqual([])
    expect(foldRun([...earlier, ...lines].map(line => JSON.parse(line)))).toEqual(state)
  })

  test('ends when it is told to', () => {
    const { log } = planned()
    const lines: string[] = []
    const stop = keepJournal(log, line => lines.push(line))
    log.ask('stop')
    stop()
    log.ask('stop')
    expect(lines).toEqual(['{"at":1000,"kind":"asked","ask":"stop"}'])
  })
})
