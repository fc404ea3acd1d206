import { describe, expect, test } from 'vitest'
import { foldRun, reduceRun } from '../../src/domain/reduce-run.ts'
import { initialState } from '../../src/domain/run-state.ts'
import { RunScript } from '../support/scripted-run.ts'
import { gpuSample, sample, tick, trace } from './build.ts'
import { answered, Desk, decode } from './desk.ts'

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

const whole = () => new RunScript().begin().allPrefill().cells(9).end()

test('replaying the same events gives the same state, at any time and from any point', () => {
  const { events } = whole()
  const state = foldRun(events)
  expect(foldRun(events)).toEqual(state)
  const half = events.length >> 1
  expect(events.slice(half).reduce(reduceRun, foldRun(events.slice(0, half)))).toEqual(state)
})

test('the events of a run are all that its state needs: they survive JSON', () => {
  const { events } = whole()
  expect(foldRun(JSON.parse(JSON.stringify(events)))).toEqual(foldRun(events))
})

test('a state is never changed by a later event', () => {
  let state = initialState
  // A write to something frozen throws.
  for (const event of whole().events) state = deepFreeze(reduceRun(state, event))
  expect(state.ending?.kind).toBe('completed')
})

test('the history holds the last 1,000 events, and neither samples nor ticks', () => {
  const desk = new Desk(decode(1)).calibrate()
  for (let index = 0; index < 1100; index++)
    desk.tell({ kind: 'phase-entered', phase: 'drain' }).look({}).ticks({})
  expect(desk.state.history).toHaveLength(1000)
  expect(new Set(desk.state.history.map(({ kind }) => kind))).toEqual(new Set(['phase-entered']))
  desk.tell({ kind: 'asked', ask: 'stop' })
  expect(desk.state.history).toHaveLength(1000)
  expect(desk.state.history.at(-1)).toMatchObject({ kind: 'asked' })
})

test('of the server the last 600 samples are kept, oldest first', () => {
  const desk = new Desk(decode(1))
  for (let index = 0; index < 700; index++) desk.look({ running: index })
  expect(desk.state.samples).toHaveLength(600)
  expect(desk.state.samples[0]?.running).toBe(100)
  expect(desk.state.samples.at(-1)?.running).toBe(699)
})

test('a job sees what came since its start, and nothing that comes after its end', () => {
  const desk = new Desk(decode(1)).calibrate()
  desk.look({ running: 1 })
  expect(desk.state.job?.samples).toHaveLength(1)
  desk.tell({ kind: 'job-ended', outcome: { kind: 'interrupted' } })
  const { cells } = desk.state
  desk.look({ running: 9 }).ticks({ tokens: 5 })
  desk.tell({ kind: 'requests-ended', traces: [trace()] })
  expect(desk.state).toMatchObject({ job: null, cells })
  expect(desk.state.samples.at(-1)?.running).toBe(9)
  desk.tell({ kind: 'job-started', target: { kind: 'cell', cell: 0 } })
  expect(desk.state.job).toMatchObject({ samples: [], ticks: [], traces: [], failures: 0 })
})

test('samples and ticks are told with the time at which they were taken', () => {
  const state = foldRun([
    { at: 0, kind: 'job-started', target: { kind: 'final-drain' } },
    { at: 130, kind: 'server-sampled', sample: sample({ at: 100 }) },
    { at: 230, kind: 'load-ticked', tick: tick({ at: 200 }) },
  ])
  expect([state.samples[0]?.at, state.job?.samples[0]?.at, state.job?.ticks[0]?.at]).toEqual([100, 100, 200])
})

test('calibration teaches the length of prompts and whether every chunk tells its usage', () => {
  const desk = new Desk(decode(1)).calibrate()
  // 500 tokens at 1980 chars, 6000 at 23980: 5500 / 22000 a char, and 500 - 495 beside
  expect(desk.state.promptFit).toEqual({ fixedTokens: 5, tokensPerChar: 0.25 })
  expect(desk.state.server?.features.continuousUsage).toBe(true)

  const counted = new Desk(decode(1))
  counted.obey()
  counted.idle()
  const final = { ...answered('calibrate', 24_000, 6000), counting: 'final-usage' } as const
  counted.ended(answered('calibrate', 2000, 500), final)
  expect(counted.state.server?.features.continuousUsage).toBe(false)
})

test('cold prompts are counted over the run, so that none is sent twice', () => {
  const desk = new Desk({ prefillContexts: [8192], contexts: [8192], concurrency: [2] }).calibrate()
  expect(desk.state.coldPrompts).toBe(2)
  desk.prefill()
  // one warm-up and two samples
  expect(desk.state.coldPrompts).toBe(5)
  desk.launch()
  expect(desk.state.coldPrompts).toBe(5)
  expect(desk.state.warmedStreams).toEqual({ 8192: 2 })
})

test('a run that ended has its ending, whatever comes late', () => {
  const desk = new Desk(decode(1))
  desk.tell({ kind: 'run-ended', ending: 'stopped', wallTime: '2026-01-01T00:01:00Z', message: 'at once' })
  desk.wait(50).look({})
  expect(desk.state.ending).toEqual({
    kind: 'stopped',
    at: 1000,
    wallTime: '2026-01-01T00:01:00Z',
    message: 'at once',
  })
})

describe('of the hardware', () => {
  const host = { cpu: null, cores: 2, memoryMiB: 24_000, os: 'linux' }
  const gpus = (powerW: number) => ({
    kind: 'hardware-sampled' as const,
    sample: { at: 0, gpus: [gpuSample({ powerW })], host: null },
  })

  test('the last that was found stands, and is history', () => {
    const desk = new Desk(decode(1))
    desk.tell({ kind: 'hardware-found', hardware: { gpus: null, host } })
    desk.tell({ kind: 'hardware-found', hardware: { gpus: [], host } })
    expect(desk.state.hardware).toEqual({ gpus: [], host })
    expect(desk.state.history.filter(({ kind }) => kind === 'hardware-found')).toHaveLength(2)
  })

  test('the last 600 samples are kept, none is history, and a job sees its own', () => {
    const desk = new Desk(decode(1)).calibrate()
    for (let powerW = 0; powerW < 700; powerW++) desk.tell(gpus(powerW))
    expect(desk.state.hardwareSamples).toHaveLength(600)
    expect(desk.state.hardwareSamples.at(-1)?.gpus).toMatchObject([{ powerW: 699 }])
    expect(desk.state.history.some(({ kind }) => kind === 'hardware-sampled')).toBe(false)
    const seen = desk.state.job?.hardwareSamples.length
    desk.tell({ kind: 'job-ended', outcome: { kind: 'interrupted' } })
    desk.tell(gpus(1)).tell({ kind: 'job-started', target: { kind: 'cell', cell: 0 } })
    expect(seen).toBe(700)
    expect(desk.state.job?.hardwareSamples).toEqual([])
  })

  test('a cell knows what the GPUs did in its window', () => {
    const desk = new Desk(decode(1)).calibrate().launch().open()
    const window = desk.state.job?.window
    if (!window) throw new Error('a window was announced')
    for (const at of [-5000, 2000, 6000, 10_000, 14_000, 18_000, 22_000, 26_000])
      desk.tell({
        kind: 'hardware-sampled',
        sample: { at: window.from + at, gpus: [gpuSample({ powerW: at < 0 ? 9000 : 500 })], host: null },
      })
    desk.wait(30_150).obey()
    desk.closed()
    // 100 tok/s over 500 W
    expect(desk.state.cells[0]?.summary?.hardware).toMatchObject({
      powerW: { mean: 500, max: 500 },
      tokensPerJoule: 0.2,
    })
  })
})
