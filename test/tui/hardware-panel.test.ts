import { expect, test } from 'vitest'
import type { GpuFacts, GpuSample, HardwareSample } from '../../src/domain/hardware-sample.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { hardwareHeight, hardwareLines } from '../../src/tui/hardware-panel.ts'
import { selectHardware } from '../../src/tui/select-hardware.ts'
import { lineWidth } from '../../src/tui/span.ts'
import { paint } from '../../src/tui/theme.ts'
import { gpuSample } from '../domain/build.ts'

const host = { cpu: 'a CPU', cores: 2, memoryMiB: 24_576, os: 'linux' }
const gpu = (index: number, change: Partial<GpuFacts> = {}): GpuFacts => ({
  index,
  name: 'NVIDIA H200',
  memoryMiB: 143_360,
  driver: '590.48.01',
  powerLimitW: 700,
  migInstances: [],
  ...change,
})
const busy = (index: number, change: Partial<GpuSample> = {}) =>
  gpuSample({
    index,
    utilisation: 0.97,
    memoryUsedMiB: 32_358,
    powerW: 627.4,
    temperatureC: 52,
    clockMHz: 1980,
    throttle: [],
    ...change,
  })

function view(gpus: readonly GpuFacts[] | null, samples: readonly GpuSample[] | null, laterMs = 0) {
  const sample = (change: Partial<HardwareSample>) => ({
    at: 0,
    kind: 'hardware-sampled' as const,
    sample: { at: 1000, gpus: null, host: null, ...change },
  })
  const state = foldRun([
    { at: 0, kind: 'hardware-found', hardware: { gpus, host } },
    ...(samples === null ? [] : [sample({ gpus: samples })]),
    sample({ host: { cpuUtilisation: 0.42, memoryUsedMiB: 12_595 } }),
  ])
  return selectHardware(state, 1000 + laterMs)
}

function shown(seen: ReturnType<typeof view>, width = 80, height = 6): readonly string[] {
  return hardwareLines(seen, { width, height }).map(line =>
    paint(line, { colours: 0, ascii: false }).trimEnd(),
  )
}

test('each GPU has a line with what it does, the host has the last', () => {
  const lines = shown(
    view([gpu(0), gpu(1)], [busy(0), busy(1, { utilisation: 0, powerW: 89.6, temperatureC: 37 })]),
  )
  expect(lines[0]).toMatch(/^Hardware 2× NVIDIA H200 ─+$/)
  // 32,358 of 143,360 MiB are 31.6 of 140 GiB; 12,595 of 24,576 are 12.3 of 24
  expect(lines[1]).toMatch(/^GPU 0 {2}━+╌* {2}97% +627\/700 W +52 °C +31\.6\/140 GiB +1,980 MHz$/)
  expect(lines[2]).toMatch(/^GPU 1 {2}╌+ {3}0% +90\/700 W +37 °C +31\.6\/140 GiB +1,980 MHz$/)
  expect(lines[3]).toMatch(/^host {3}━+╌+ {2}42% +12\.3\/24\.0 GiB$/)
  expect(lines).toHaveLength(6)
})

test('what holds a clock down is said in words, on its line and in the heading', () => {
  const seen = view([gpu(0), gpu(1)], [busy(0, { throttle: ['power-cap'] }), busy(1)])
  const lines = shown(seen, 100)
  expect(lines[0]).toMatch(/─ held down by power limit$/)
  expect(lines[1]).toMatch(/ {2}power limit$/)
  expect(lines[2]).not.toContain('power limit')
  // Where there is no room on the line, the heading still says it.
  expect(shown(seen, 38)[0]).toMatch(/power limit$/)
  expect(shown(seen, 38)[1]).not.toContain('power limit')
})

test('what holds clocks down is cut where it has no room, not left out', () => {
  const seen = view([gpu(0)], [busy(0, { throttle: ['power-cap', 'thermal', 'hardware-thermal'] })])
  expect(shown(seen, 52)[0]).toMatch(/^Hardware ─ held down by power limit, heat, heat.*…$/)
})

test('what a GPU in MIG mode does not tell is unknown, and its parts are named', () => {
  const facts = gpu(0, { migInstances: ['3g.71gb', '1g.18gb'] })
  const lines = shown(view([facts], [busy(0, { utilisation: null, powerW: null })]), 100)
  expect(lines[1]).toMatch(/^GPU 0 {2}╌+ +– +–\/700 W/)
  expect(lines[1]).toMatch(/MIG 3g\.71gb 1g\.18gb$/)
})

test('GPUs that are known but were not seen yet have no figures', () => {
  expect(shown(view([gpu(0)], null))[1]).toMatch(/^GPU 0 {2}╌+ +– +–\/700 W +–\/140 GiB$/)
})

test('GPUs for which there is no room are told as one', () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 7]
  const samples = all.map(index => busy(index, { powerW: 500, temperatureC: 50 + index }))
  const lines = shown(
    view(
      all.map(index => gpu(index)),
      samples,
    ),
    80,
    5,
  )
  expect(lines).toHaveLength(5)
  // six of eight: 6 × 500 W of 6 × 700 W, the hottest of them
  expect(lines[3]).toMatch(/^\+6 GPU ━+╌* {2}97% +3,000\/4,200 W +57 °C/)
  expect(lines[4]).toMatch(/^host/)
  const few = shown(
    view(
      all.map(index => gpu(index)),
      samples,
    ),
    80,
    3,
  )
  expect(few[1]).toMatch(/^8 GPU {2}━+╌* {2}97% +4,000\/5,600 W/)
})

test('many GPUs stand in two columns where there is room for both', () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 7]
  const seen = view(
    all.map(index => gpu(index)),
    all.map(index => busy(index)),
  )
  expect(hardwareHeight(seen, 120)).toBe(6)
  expect(hardwareHeight(seen, 80)).toBe(10)
  const lines = shown(seen, 120, 6)
  const figures = '627\\/700 W +52 °C +31\\.6\\/140 GiB'
  for (const row of [0, 1, 2, 3])
    expect(lines[1 + row]).toMatch(new RegExp(`^GPU ${row} .*${figures} +GPU ${row + 4} .*${figures}$`))
  expect(lines[5]).toMatch(/^host/)
  // In four lines there is room for four of them.
  expect(shown(seen, 120, 4)[2]).toMatch(/^GPU 1 .* {2}\+5 GPU /)
})

test('a sum of which a part is unknown is unknown', () => {
  const samples = [busy(0), busy(1, { powerW: null }), busy(2)]
  expect(shown(view([gpu(0), gpu(1), gpu(2)], samples), 80, 3)[1]).toMatch(/–\/2,100 W/)
})

test('in two lines or one the figures of all stand together', () => {
  const seen = view([gpu(0), gpu(1)], [busy(0), busy(1)])
  expect(shown(seen, 80, 1)).toEqual(['Hardware 2× GPU 97%  1,255/1,400 W  52 °C  CPU 42%'])
  expect(shown(view([gpu(0)], [busy(0)]), 80, 1)).toEqual(['Hardware GPU 97%  627/700 W  52 °C  CPU 42%'])
})

test('in one line what holds the clocks down has its place before the CPU', () => {
  const held = busy(1, { throttle: ['power-cap', 'thermal'] })
  const eight = [0, 1, 2, 3, 4, 5, 6, 7]
  const seen = view(
    eight.map(index => gpu(index)),
    eight.map(index => (index === 1 ? held : busy(index))),
  )
  expect(shown(seen, 80, 1)[0]).toMatch(
    /^Hardware 8× GPU 97% {2}5,019\/5,600 W {2}52 °C +held down by power limit, heat$/,
  )
})

test('a look of six seconds ago is current, an older one is stale and says its age', () => {
  expect(shown(view([gpu(0)], [busy(0)], 6000))[0]).not.toContain('STALE')
  expect(shown(view([gpu(0)], [busy(0)], 9000))[0]).toMatch(/STALE 9 s$/)
})

test('without GPUs the host has one line, and without anyone who looks there is nothing', () => {
  expect(shown(view(null, null), 80, 1)).toEqual(['Hardware CPU 42%  12.3/24.0 GiB'])
  expect(hardwareHeight(view(null, null), 80)).toBe(1)
  expect(hardwareHeight(view([gpu(0), gpu(1)], null), 80)).toBe(4)
  const nobody = selectHardware(foldRun([]), 0)
  expect(nobody).toBe(null)
  expect(hardwareHeight(nobody, 80)).toBe(0)
  expect(hardwareLines(nobody, { width: 80, height: 6 })).toEqual([])
})

test('a name with control characters cannot reach the terminal', () => {
  const lines = shown(view([gpu(0, { name: 'a\u001b[31m GPU\n' })], [busy(0)]))
  expect(lines[0]).toMatch(/^Hardware a GPU ─/)
})

test('no line is wider than its area, and there are exactly as many as it has', () => {
  const everything = [busy(0, { throttle: ['power-cap', 'thermal'] }), busy(1), busy(2)]
  const seen = view([gpu(0), gpu(1, { migInstances: ['3g.71gb'] }), gpu(2)], everything)
  for (let width = 24; width <= 200; width++)
    for (const height of [0, 1, 2, 3, 4, 5, 8]) {
      const lines = hardwareLines(seen, { width, height })
      expect(lines).toHaveLength(height)
      expect(Math.max(0, ...lines.map(lineWidth))).toBeLessThanOrEqual(width)
    }
})

test('figures do not move when a GPU becomes busy', () => {
  const place = (samples: readonly GpuSample[]) => shown(view([gpu(0), gpu(1)], samples))[1]?.indexOf('°C')
  const idle = busy(0, { powerW: 9, temperatureC: 9, memoryUsedMiB: 4, clockMHz: 345 })
  expect(place([idle, idle])).toBe(place([busy(0), busy(1)]))
})
