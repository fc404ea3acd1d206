import { expect, test } from 'vitest'
import { toJsonLines } from '../../src/result/export-json-lines.ts'
import { sampleResult } from '../support/sample-result.ts'

test('each line says which run it is of, and is the cell as it stands in the result', () => {
  const sample = sampleResult()
  const lines = toJsonLines(sample)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toHaveLength(2)
  expect(lines[1]).toEqual({
    phase: 'decode',
    runId: sample.run.id,
    startedAt: sample.run.startedAt,
    tool: 'tokgrid',
    toolVersion: '0.0.0',
    engine: 'sglang',
    engineVersion: sample.server.engine.version,
    model: sample.server.model.id,
    gpus: null,
    ...sample.decode[1],
  })
})
