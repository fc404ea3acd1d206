import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/domain/stagger.ts'
import { toJsonLines } from '../../src/result/export-json-lines.ts'
import { toLlmInferenceBench } from '../../src/result/export-llm-inference-bench.ts'
import { toLocalMaxxing } from '../../src/result/export-localmaxxing.ts'
import { toOpenMetrics } from '../../src/result/export-openmetrics.ts'
import { readResult } from '../../src/result/read-result.ts'
import { resultSchema } from '../../src/result/schema.ts'
import { brokenRules } from '../support/openmetrics-rules.ts'
import { randomResult } from '../support/random-result.ts'

const seeds = Array.from({ length: 200 }, (_, index) => index + 1)
const results = seeds.map(seed => randomResult(seededRandom(seed)))

/** Numbers to 9 digits: seconds become ms and back. */
const rounded = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'number' ? Number(inner.toPrecision(9)) : inner,
    ),
  )

describe('of 200 random results', () => {
  test('many have cells, figures and reasons: the tests below are not about nothing', () => {
    const cells = results.flatMap(result => result.decode)
    expect(cells.length).toBeGreaterThan(200)
    expect(cells.filter(cell => cell.totalTokensPerSecond !== null).length).toBeGreaterThan(50)
    expect(cells.filter(cell => cell.totalTokensPerSecond === null).length).toBeGreaterThan(50)
    expect(results.filter(result => result.hardware.gpus !== null).length).toBeGreaterThan(20)
  })

  test('each is read back as it was written', () => {
    for (const result of results) expect(readResult(JSON.stringify(result), 'a.json')).toEqual(result)
  })

  test('each is OpenMetrics text by the rules of the format', () => {
    for (const result of results) expect(brokenRules(toOpenMetrics(result))).toEqual([])
  })

  test('each has a line of JSON for each row and cell', () => {
    for (const result of results) {
      const lines = toJsonLines(result).split('\n').slice(0, -1)
      expect(lines.map(line => JSON.parse(line)).length).toBe(result.prefill.length + result.decode.length)
    }
  })

  test('each has a payload for each valid cell with a speed', () => {
    for (const result of results) {
      const valid = result.decode.filter(
        cell => cell.status === 'valid' && cell.totalTokensPerSecond !== null,
      )
      expect(toLocalMaxxing(result).map(payload => payload.batchSize)).toEqual(
        valid.map(cell => cell.concurrency),
      )
    }
  })

  test('each comes back from llm-inference-bench JSON valid, and exports to the same once more', () => {
    for (const result of results) {
      const again = (document: unknown) => toLlmInferenceBench(readResult(JSON.stringify(document), 'a.json'))
      const first = toLlmInferenceBench(result)
      const second = again(first)
      expect(resultSchema.safeParse(readResult(JSON.stringify(first), 'a.json')).error).toBe(undefined)
      expect(rounded(again(second))).toEqual(rounded(second))
    }
  })
})
