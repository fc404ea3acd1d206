import { describe, expect, test } from 'vitest'
import { hardwareFigures, throttledBy } from '../../src/domain/hardware-figures.ts'
import type { GpuSample, HardwareSample } from '../../src/domain/hardware-sample.ts'
import { gpuSample, tenSeconds } from './build.ts'

/** One look at these GPUs, so many seconds after the window's opening. */
const look = (seconds: number, ...gpus: readonly Partial<GpuSample>[]): HardwareSample => ({
  at: tenSeconds.from + seconds * 1000,
  gpus: gpus.map((gpu, index) => gpuSample({ index, ...gpu })),
  host: null,
})
const figures = (samples: readonly HardwareSample[], tokensPerSecond = 1000) =>
  hardwareFigures([{ window: tenSeconds, samples }], tokensPerSecond)

describe('power', () => {
  test('is that of all GPUs together, weighted by the time for which each look speaks', () => {
    // 0–1.5 s: 300 W, 1.5–3.5 s: 500 W, 3.5–6.5 s: 400 W, 6.5–9 s: 400 W
    const looks = [
      look(1, { powerW: 100 }, { powerW: 200 }),
      look(2, { powerW: 300 }, { powerW: 200 }),
      look(5, { powerW: 200 }, { powerW: 200 }),
      look(8, { powerW: 100 }, { powerW: 300 }),
    ]
    // (1.5 × 300 + 2 × 500 + 3 × 400 + 3.5 × 400) / 10
    expect(figures(looks)?.powerW.mean).toBeCloseTo(405, 9)
    expect(figures(looks)?.powerW.max).toBe(500)
  })

  test('gives output tokens for each joule: tok/s over watts', () => {
    const looks = [2, 4, 6, 8].map(seconds => look(seconds, { powerW: 400 }))
    expect(figures(looks, 1000)?.tokensPerJoule).toBe(2.5)
  })

  test('is unknown where one GPU does not tell it, and then so are tokens for each joule', () => {
    const looks = [2, 4, 6, 8].map(seconds => look(seconds, { powerW: 400 }, { powerW: null }))
    expect(figures(looks)).toMatchObject({ powerW: { mean: null, max: null }, tokensPerJoule: null })
  })

  test('is still known where one look of many missed it', () => {
    const looks = [1, 3, 5, 7, 9].map(seconds => look(seconds, { powerW: seconds === 5 ? null : 400 }))
    expect(figures(looks)?.powerW).toEqual({ mean: 400, max: 400 })
  })
})

test('utilisation and clock are means of the GPUs over time, temperature is the hottest at any time', () => {
  const looks = [
    look(2.5, { utilisation: 1, clockMHz: 2000, temperatureC: 60 }, { utilisation: 0.5, clockMHz: 1000 }),
    look(5, { utilisation: 1, clockMHz: 2000, temperatureC: 71 }, { utilisation: null, clockMHz: null }),
    look(7.5, { utilisation: 1, clockMHz: 2000, temperatureC: 65 }, { utilisation: 0.5, clockMHz: 1000 }),
  ]
  // weights 3.25, 2.5 and 3.25 s: an edge is no further than 2 s away
  const value = figures(looks)
  expect(value?.utilisation.mean).toBeCloseTo((3.25 * 0.75 * 2 + 2.5) / 9, 9)
  expect(value?.clockMHz.mean).toBeCloseTo((3.25 * 1500 * 2 + 2.5 * 2000) / 9, 9)
  expect(value?.temperatureC.max).toBe(71)
})

describe('looks', () => {
  test('outside the window do not count', () => {
    const inside = [2, 4, 6, 8].map(seconds => look(seconds, { powerW: 400 }))
    const outside = [look(-1, { powerW: 9000 }), ...inside, look(10.5, { powerW: 9000 })]
    expect(figures(outside)?.powerW).toEqual({ mean: 400, max: 400 })
  })

  test('that leave more than half of the window unseen tell nothing', () => {
    // 1 and 9 s: 1 + 2 s and 2 + 1 s
    expect(figures([look(1, { powerW: 400 }), look(9, { powerW: 400 })])?.powerW.mean).toBe(400)
    // 4 s at most
    expect(figures([look(5, { powerW: 400 })])).toBe(null)
    expect(figures([])).toBe(null)
  })

  test('at the host or at no GPU tell nothing of GPUs', () => {
    const host = { cpuUtilisation: 0.5, memoryUsedMiB: 1000 }
    expect(figures([1, 3, 5, 7, 9].map(seconds => ({ ...look(seconds), gpus: null, host })))).toBe(null)
    expect(figures([1, 3, 5, 7, 9].map(seconds => look(seconds)))).toBe(null)
  })

  test('of several windows are pooled by their time', () => {
    const later = { from: 50_000, to: 60_000, sliceMs: 1000 }
    const first = [2, 4, 6, 8].map(seconds => look(seconds, { powerW: 300 }))
    const second = [2, 4, 6, 8].map(seconds => ({
      ...look(seconds, { powerW: 500 }),
      at: 50_000 + seconds * 1000,
    }))
    const pooled = hardwareFigures(
      [
        { window: tenSeconds, samples: first },
        { window: later, samples: second },
      ],
      800,
    )
    expect(pooled).toMatchObject({ powerW: { mean: 400, max: 500 }, tokensPerJoule: 2 })
  })
})

describe('what held the clocks down', () => {
  const looks = [1, 3, 5, 7, 9].map(seconds =>
    look(
      seconds,
      { throttle: seconds < 6 ? ['power-cap'] : [] },
      { throttle: seconds === 9 ? ['thermal', 'clock-setting'] : ['clock-setting'] },
    ),
  )

  test('is told by the share of the looks in which any GPU told it, the most frequent first', () => {
    expect(figures(looks)?.throttle).toEqual([
      { reason: 'clock-setting', share: 1 },
      { reason: 'power-cap', share: 0.6 },
      { reason: 'thermal', share: 0.2 },
    ])
  })

  test('slowed the GPUs unless someone set it, or it was only for a moment', () => {
    const value = figures(looks)
    if (value === null) throw new Error('figures')
    expect(throttledBy(value).map(({ reason }) => reason)).toEqual(['power-cap', 'thermal'])
    const brief = Array.from({ length: 20 }, (_, index) =>
      look(index / 2, { throttle: index === 0 ? ['hardware-slowdown'] : [] }),
    )
    const moment = figures(brief)
    expect(moment?.throttle).toEqual([{ reason: 'hardware-slowdown', share: 0.05 }])
    expect(moment && throttledBy(moment)).toEqual([])
  })

  test('is unknown where no GPU tells it, and nothing where all tell nothing', () => {
    const telling = (throttle: GpuSample['throttle']) =>
      [1, 3, 5, 7, 9].map(seconds => look(seconds, { throttle }))
    expect(figures(telling(null))?.throttle).toBe(null)
    expect(figures(telling([]))?.throttle).toEqual([])
  })
})
