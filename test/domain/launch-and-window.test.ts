import { describe, expect, test } from 'vitest'
import { refused } from './build.ts'
import { answered, brokenBy, busy, Desk, decode, streamed } from './desk.ts'

describe('a launch', () => {
  test('gives every stream its own prompt and a first output of its own length', () => {
    const desk = new Desk({ ...decode(4), maxOutputTokens: 4000 }).calibrate()
    desk.idle()
    const warm = answered('warm', 32_000, 8180)
    desk.tell({ kind: 'requests-ended', traces: [warm, warm, warm, warm] })
    const { streams, maxTokens } = desk.launching()
    expect(maxTokens).toBe(4000)
    expect(streams.map(({ prompt }) => prompt.stream)).toEqual([0, 1, 2, 3])
    const quarters = streams.map(({ firstMaxTokens }) => Math.ceil(firstMaxTokens / 1000))
    expect([...quarters].sort()).toEqual([1, 2, 3, 4])
  })

  test('is waited for until the server runs all streams', () => {
    const desk = new Desk(decode(4)).calibrate().launch()
    expect(desk.ticks({ started: 4 }).look({ running: 3, queued: 1 }).obey()).toEqual([])
    expect(desk.look({ running: 4, queued: 0 }).obey()).toEqual(['settle'])
  })

  test('that the server never runs as a whole is measured after the time-out all the same', () => {
    const desk = new Desk(decode(64)).calibrate().launch()
    const launchedAt = desk.now
    expect(desk.wait(29_999).ticks({ started: 32 }).look({ running: 32, queued: 32 }).obey()).toEqual([])
    expect(desk.step()).toMatchObject({ do: 'wait', until: launchedAt + 30_000 })
    expect(desk.wait(1).obey()).toEqual(['settle'])
    expect(desk.wait(1000).obey()).toEqual(['open-window'])
    const { window } = desk.state.job ?? {}
    for (let second = 0; second < 30; second++) desk.wait(1000).look({ running: 32, queued: 32 })
    desk.wait(200).obey()
    if (!window) throw new Error('a window was announced')
    desk.closed(
      window.to,
      Array.from({ length: 64 }, () => streamed(window)),
    )
    expect(desk.state.cells[0]).toMatchObject({
      status: 'requests-queued',
      reasons: [{ kind: 'requests-queued', queuedShare: 1, meanInFlight: 32, wanted: 64 }],
    })
  })

  test('of which every stream fails is given up, with what went wrong', () => {
    const desk = new Desk(decode(2, 4)).calibrate().launch()
    expect(desk.ticks({ ended: [brokenBy(busy, 'launch'), brokenBy(busy, 'launch')] }).obey()).toEqual([])
    expect(desk.ticks({ ended: [brokenBy(busy, 'launch')] }).obey()).toEqual(['close'])
    expect(desk.closed()).toEqual(['failed', 'start cell 1'])
    expect(desk.state.cells[0]?.reasons).toEqual([{ kind: 'failed', message: 'HTTP 503: busy' }])
  })

  test('has other phases with another seed, in each cell, and in each pass over a cell', () => {
    const phases = (seed: number, cells: number, passes: number) => {
      const contexts = Array.from({ length: cells }, (_, index) => 8192 * (index + 1))
      const desk = new Desk({
        contexts,
        concurrency: [8],
        phases: 'decode',
        seed,
        repeat: passes,
      }).calibrate()
      for (let before = 1; before < cells * passes; before++) desk.measure()
      desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
      if (desk.step().do === 'send') {
        desk.obey()
        desk.tell({
          kind: 'requests-ended',
          traces: Array.from({ length: 8 }, () => answered('warm', 1, null)),
        })
      }
      return desk
        .launching()
        .streams.map(({ firstMaxTokens }) => firstMaxTokens)
        .join()
    }
    expect(phases(1, 1, 1)).toBe(phases(1, 1, 1))
    expect(new Set([phases(1, 1, 1), phases(2, 1, 1), phases(1, 2, 1), phases(1, 1, 2)]).size).toBe(4)
  })
})

describe('a window', () => {
  const windowOf = (durationSeconds: number, now: number) => {
    const desk = new Desk({ ...decode(1), durationSeconds }).calibrate().launch()
    desk.latch()
    desk.now = Math.max(now, desk.now + 1000)
    desk.obey()
    const window = desk.state.job?.window
    if (!window) throw new Error('a window was announced')
    return { ...window, ahead: window.from - desk.now }
  }

  test('is announced 100 ms ahead, as long as asked, in slices of a second', () => {
    expect(windowOf(30, 50_000)).toEqual({ from: 50_100, to: 80_100, sliceMs: 1000, ahead: 100 })
  })

  test('has ten slices when it is shorter than 10 s, none below 50 ms', () => {
    expect(windowOf(10, 0).sliceMs).toBe(1000)
    expect(windowOf(5, 0).sliceMs).toBe(500)
    expect(windowOf(0.2, 0).sliceMs).toBe(50)
  })

  test('begins and ends at whole milliseconds, so that its slices divide it whatever the clock says', () => {
    // 65535.7 and 95535.7 have different rounding as floating numbers: their difference is not 30000
    for (const now of [65_435.7, 1_048_475.123_456, 33_333.3]) {
      const { from, to, sliceMs, ahead } = windowOf(30, now)
      expect((to - from) / sliceMs).toBe(30)
      expect(ahead).toBeGreaterThanOrEqual(100)
      expect(ahead).toBeLessThan(101)
    }
    const { from, to, sliceMs } = windowOf(1.234, 65_535.9)
    expect(to - from).toBe(1234)
    expect(Math.ceil((to - from) / sliceMs)).toBe(10)
  })

  test('of no length is the shortest there is, never an empty one', () => {
    const { from, to } = windowOf(0, 0)
    expect(to - from).toBe(1)
  })

  test('in which the server dies is closed at once, and the cell has failed', () => {
    const desk = new Desk(decode(2)).calibrate().launch().open()
    desk.wait(200).ticks({ started: 2, tokens: 50 })
    for (let second = 0; second < 5; second++)
      desk.wait(1000).ticks({ started: 2, ended: [brokenBy(refused, 'steady')] })
    expect(desk.obey()).toEqual(['close'])
    expect(desk.closed(desk.now)).toEqual(['failed', 'start final-drain'])
    expect(desk.state.cells[0]).toMatchObject({
      status: 'failed',
      reasons: [{ kind: 'failed', message: 'could not connect: ECONNREFUSED' }],
    })
  })

  test('without a token fails the cell', () => {
    const desk = new Desk(decode(1)).calibrate().launch().open()
    const { window } = desk.state.job ?? {}
    if (!window) throw new Error('a window was announced')
    desk.wait(30_150).obey()
    const counts = {
      window,
      sliceTokens: [0, 0],
      gaps: [],
      binTokens: [],
      gapThirds: [],
      client: { loopDelayP99Ms: 1, loopUtilisation: 0, workers: 1 },
    }
    desk.tell({ kind: 'streams-closed', counts, cutOff: [] })
    expect(desk.obey()).toEqual(['done', 'start final-drain'])
    expect(desk.state.cells[0]?.status).toBe('failed')
    expect(desk.state.cells[0]?.reasons[0]).toEqual({ kind: 'no-tokens' })
  })
})
