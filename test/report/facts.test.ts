import { expect, test } from 'vitest'
import { factsOf, gpuNames, timeText, withUnknown } from '../../src/report/facts.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { sampleResult } from '../support/sample-result.ts'

const gpu = (name: string, memoryMiB: number | null) => ({ name, memoryMiB, driver: null })
const textsOf = (result: RunResult) =>
  new Map(withUnknown(factsOf(result)).map(({ group, name, text }) => [`${group}: ${name}`, text]))
const withGpus = (gpus: RunResult['hardware']['gpus']) =>
  textsOf({ ...sampleResult(), hardware: { gpus, host: null } })

test('GPUs are told by kind, number and memory', () => {
  const two = withGpus([gpu('H200', 143_771), gpu('H200', 143_771)])
  expect(two.get('Hardware: Type')).toBe('Discrete GPU')
  expect(two.get('Hardware: GPU')).toBe('H200')
  expect(two.get('Hardware: GPU count')).toBe('2')
  // 143771 / 1024 = 140.4
  expect(two.get('Hardware: GPU memory')).toBe('281 GiB (2 × 140 GiB)')
  const mixed = withGpus([gpu('A', 81_920), gpu('B', 24_576)])
  expect(mixed.get('Hardware: GPU memory')).toBe('104 GiB (1 × 80 GiB + 1 × 24 GiB)')
  expect(gpuNames([gpu('A', 1), gpu('B', 1), gpu('A', 1)])).toBe('2 × A, 1 × B')
})

test('what is not known is named and not made up', () => {
  expect(withGpus(null).get('Hardware: Not known')).toBe(
    'Type, GPU, GPU count, GPU memory, Driver, CPU, CPU cores, Memory, OS',
  )
  const shared = withGpus([gpu('GB10', null)])
  expect(shared.get('Hardware: Not known')).toBe('Type, GPU memory, Driver, CPU, CPU cores, Memory, OS')
  expect(withGpus([]).get('Hardware: GPU')).toBe('none')
})

test('what the operator told is marked as such, with what was found', () => {
  const result = {
    ...sampleResult(),
    described: { 'server.engine.version': '0.5.9', 'hardware.host.os': null },
  }
  expect(
    factsOf(result)
      .filter(({ name }) => name === 'Told by the operator')
      .map(({ text }) => text),
  ).toEqual(['server.engine.version, where 0.5.9 was found', 'hardware.host.os'])
})

test('times are told to the minute, with their zone', () => {
  expect(timeText('2026-11-30T21:42:59.123Z')).toBe('2026-11-30 21:42 UTC')
  expect(timeText('2026-11-30T21:42:59+02:00')).toBe('2026-11-30 21:42 UTC+02:00')
  expect(timeText(null)).toBe('–')
})
