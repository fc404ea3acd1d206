import { expect, test } from 'vitest'
import { type Description, describeResult } from '../../src/result/describe-result.ts'
import { resultSchema } from '../../src/result/schema.ts'
import { sampleResult } from '../support/sample-result.ts'

const nothing: Description = {
  engine: { version: null, quantization: null, backend: null, build: null, commit: null },
  model: { path: null, revision: null },
  launchCommand: null,
  gpus: null,
  os: null,
  notes: {},
}

test('the operator’s word stands in the result, with what was found there before', () => {
  const found = sampleResult()
  const told = { ...found, server: { ...found.server, engine: { ...found.server.engine, version: '0.5.9' } } }
  const result = describeResult(told, {
    ...nothing,
    engine: { ...nothing.engine, version: '0.5.10', quantization: 'fp8' },
    model: { path: 'org/model', revision: null },
    launchCommand: 'serve --tp 2',
    gpus: [{ name: 'H200', memoryMiB: 143_771 }],
    os: 'linux',
    notes: { rack: '7' },
  })
  expect(result.server.engine).toMatchObject({ name: 'sglang', version: '0.5.10', quantization: 'fp8' })
  expect(result.server.model).toMatchObject({ id: found.server.model.id, path: 'org/model', revision: null })
  expect(result.server.launch).toMatchObject({ command: 'serve --tp 2', source: 'flag' })
  expect(result.hardware.gpus).toEqual([{ name: 'H200', memoryMiB: 143_771, driver: null }])
  expect(result.hardware.host).toEqual({ cpu: null, cores: null, memoryMiB: null, os: 'linux' })
  expect(result.run.notes).toEqual({ rack: '7' })
  expect(result.described).toEqual({
    'server.engine.version': '0.5.9',
    'server.engine.quantization': null,
    'server.model.path': null,
    'server.launch.command': null,
    'hardware.gpus': null,
    'hardware.host.os': null,
  })
  expect(resultSchema.safeParse(result).error).toBe(undefined)
})

test('nothing said changes nothing', () => {
  expect(describeResult(sampleResult(), nothing)).toEqual(sampleResult())
})
