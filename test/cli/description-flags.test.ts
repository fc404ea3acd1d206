import { expect, test } from 'vitest'
import { descriptionOf, parseGpus } from '../../src/cli/description-flags.ts'
import { readFlags, runFlags } from '../../src/cli/flags.ts'

test('a note whose name or words are those of a secret is not told', () => {
  const note = ['password=not-for-files', 'how=serve --api-key not-for-files --tp 2']
  const { notes } = descriptionOf(readFlags(runFlags, { note }))
  expect(notes).toEqual({ password: '<redacted>', how: 'serve --api-key <redacted> --tp 2' })
})

test.each([
  ['2x NVIDIA H200 143771MiB', 2, 'NVIDIA H200', 143_771],
  ['2 × H200 NVL 141 GB', 2, 'H200 NVL', 144_384],
  ['8x H100, 80GiB', 8, 'H100', 81_920],
  ['NVIDIA GeForce RTX 4090', 1, 'NVIDIA GeForce RTX 4090', null],
  ['4x L4', 4, 'L4', null],
])('%j is %i of %j', (text, amount, name, memoryMiB) => {
  expect(parseGpus(text)).toEqual(Array.from({ length: amount }, () => ({ name, memoryMiB })))
})

test.each(['', '0x H200'])('%j names no GPUs', text => {
  expect(parseGpus(text)).toBe(null)
})

test('what is said keeps neither secrets nor control characters', () => {
  const flags = readFlags(runFlags, {
    launchCommand: 'HF_TOKEN=abc serve --api-key abc \u001b[31m--port 1',
    note: ['cooling=air\u0007', 'why=a=b'],
    quantization: ' fp8 ',
  })
  const { launchCommand, notes, engine } = descriptionOf(flags)
  expect(launchCommand).toBe('HF_TOKEN=<redacted> serve --api-key <redacted> --port 1')
  expect(notes).toEqual({ cooling: 'air', why: 'a=b' })
  expect(engine.quantization).toBe('fp8')
})

test.each([
  [{ note: ['rack'] }, '--note: "rack" is not key=value'],
  [{ note: ['=7'] }, '--note: "=7" is not key=value'],
  [{ gpu: '0x A' }, '--gpu: "0x A" names no GPUs (try "2x NVIDIA H200 141GiB")'],
  [{ backend: ' ' }, '--backend: is empty'],
])('%j is refused', (raw, message) => {
  expect(() => readFlags(runFlags, raw)).toThrow(message)
})
