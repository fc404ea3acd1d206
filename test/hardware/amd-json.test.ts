import { expect, test } from 'vitest'
import { parseAmdMetrics, parseAmdStatic, parseRocm } from '../../src/hardware/amd-json.ts'
import { hardwareText } from './fixture.ts'

test('amd-smi tells a list with ROCm 6', () => {
  expect(parseAmdMetrics(hardwareText('amd-smi-metric-rocm-6.json'))).toEqual([
    {
      index: 0,
      utilisation: 0.97,
      memoryUsedMiB: 172_210,
      powerW: 738,
      temperatureC: 83,
      clockMHz: 1893,
      throttle: ['unspecified'],
    },
    {
      index: 1,
      utilisation: 0,
      memoryUsedMiB: 283,
      powerW: 131,
      temperatureC: 34,
      clockMHz: 132,
      throttle: [],
    },
  ])
  expect(parseAmdStatic(hardwareText('amd-smi-static-rocm-6.json'))).toEqual([
    {
      index: 0,
      name: 'AMD Instinct MI300X',
      memoryMiB: 196_592,
      driver: '6.10.5',
      powerLimitW: 750,
      migInstances: [],
    },
  ])
})

test('amd-smi tells it in gpu_data with ROCm 7, and a second partition of a GPU tells nothing', () => {
  const nothing = {
    utilisation: null,
    memoryUsedMiB: null,
    powerW: null,
    temperatureC: null,
    clockMHz: null,
    throttle: null,
  }
  expect(parseAmdMetrics(hardwareText('amd-smi-metric-rocm-7.json'))).toMatchObject([
    { index: 0, utilisation: 0.42, powerW: 239, temperatureC: 36, clockMHz: 2100, throttle: null },
    { index: 1, ...nothing },
  ])
  expect(parseAmdStatic(hardwareText('amd-smi-static-rocm-7.json'))).toMatchObject([
    { name: 'AMD Instinct MI355X', driver: '6.16.6', powerLimitW: 1400 },
    { name: 'AMD GPU', memoryMiB: null, driver: null, powerLimitW: null },
  ])
})

test('rocm-smi tells power by one of two names, and clocks in brackets', () => {
  // 25,753,026,560 B and 794,341,376 B over 2^20
  expect(parseRocm(hardwareText('rocm-smi-rx-7900-xtx.json'))).toMatchObject({
    facts: [{ index: 0, name: 'AMD GPU', memoryMiB: 24_560 }],
    samples: [
      {
        utilisation: 0,
        memoryUsedMiB: 758,
        powerW: 19,
        temperatureC: 49,
        clockMHz: null,
        throttle: null,
      },
    ],
  })
  expect(parseRocm(hardwareText('rocm-smi-780m.json'))).toMatchObject({
    facts: [{ name: 'Phoenix3', memoryMiB: null }],
    samples: [{ utilisation: 0.19, powerW: 7.222, temperatureC: 31, clockMHz: 800 }],
  })
  expect(parseRocm(hardwareText('rocm-smi-rx-7900-xt.json'))).toMatchObject({
    facts: [{ name: 'Radeon RX 7900 XT', memoryMiB: 20_464, driver: null }],
    samples: [{ utilisation: 0, powerW: null }],
  })
})

test('rocm-smi tells the driver beside the cards', () => {
  const answer = parseRocm('{"card3": {"GPU use (%)": "5"}, "system": {"Driver version": "6.14.14"}}')
  expect(answer?.facts).toMatchObject([{ index: 3, driver: '6.14.14' }])
})

test.each(['', 'ERROR: no GPU', '[', '{}', '[{"gpu": "x"}]', '"a"', 'null'])(
  'an answer such as %j is none',
  text => {
    expect(parseAmdMetrics(text)).toBe(null)
    expect(parseAmdStatic(text)).toBe(null)
    expect(parseRocm(text)?.facts ?? []).toEqual([])
  },
)
