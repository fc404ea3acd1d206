import { describe, expect, test } from 'vitest'
import { toOpenMetrics } from '../../src/result/export-openmetrics.ts'
import { brokenRules } from '../support/openmetrics-rules.ts'
import { sampleResult } from '../support/sample-result.ts'

const sample = sampleResult()
const [single, four] = sample.decode
if (single === undefined || four === undefined) throw new Error('the sample has two cells')
const linesOf = (text: string, name: string) => text.split('\n').filter(line => line.startsWith(`${name}{`))

test('figures are gauges in base units, labelled by run, model, engine and cell', () => {
  const cell = {
    ...single,
    status: 'valid' as const,
    totalTokensPerSecond: {
      mean: 1464.6,
      ci95: null,
      batchMeans: { ci95: null, n: 0 },
      requestLevel: { ci95: null, n: 0 },
    },
    ttftMs: single.ttftMs && { ...single.ttftMs, headline: 159 },
  }
  const server = { ...sample.server, model: { id: 'a "b"\\\nc', path: null, revision: null } }
  const text = toOpenMetrics({ ...sample, run: { ...sample.run, id: 'r1' }, server, decode: [cell] })
  const labels = `{run_id="r1",model="a \\"b\\"\\\\\\nc",engine="sglang",context_tokens="8192",concurrency="1"}`
  expect(text).toContain('# TYPE tokgrid_ttft_seconds gauge\n# UNIT tokgrid_ttft_seconds seconds\n# HELP ')
  expect(linesOf(text, 'tokgrid_ttft_seconds')).toEqual([`tokgrid_ttft_seconds${labels} 0.159`])
  expect(linesOf(text, 'tokgrid_output_tokens_per_second')).toEqual([
    `tokgrid_output_tokens_per_second${labels} 1464.6`,
  ])
  expect(text).not.toContain('ci95')
  expect(brokenRules(text)).toEqual([])
})

test('no type is used that Prometheus’ text-file collector refuses, as it does `info`', () => {
  const types = [...toOpenMetrics(sample).matchAll(/^# TYPE \S+ (\S+)$/gm)].map(([, type]) => type)
  expect(new Set(types)).toEqual(new Set(['gauge']))
})

test('a cell that must not be compared has a status and no figures', () => {
  const text = toOpenMetrics({ ...sample, decode: [{ ...single, status: 'invalid' }] })
  expect(linesOf(text, 'tokgrid_cell_info')[0]).toMatch(/concurrency="1",status="invalid"\} 1$/)
  expect(text).not.toContain('per_second')
})

describe('the rules that the text is held against', () => {
  const good = '# TYPE a_seconds gauge\n# UNIT a_seconds seconds\na_seconds{x="1"} 1.5\n# EOF\n'
  test.each([
    ['nothing wrong', good, 0],
    ['no end', good.replace('# EOF', '# THE END'), 1],
    ['a unit that the name lacks', good.replace('UNIT a_seconds seconds', 'UNIT a_seconds bytes'), 1],
    ['a sample twice', good.replace('1.5\n', '1.5\na_seconds{x="1"} 2\n'), 1],
    ['a bare quote', good.replace('"1"', '"a"b"'), 2],
    ['a label twice', good.replace('x="1"', 'x="1",x="2"'), 1],
    ['a family in two pieces', good.replace('# EOF', '# TYPE b gauge\nb{} 1\na_seconds{x="2"} 1\n# EOF'), 1],
    ['metadata after a sample', good.replace('# EOF', '# HELP a_seconds late\n# EOF'), 1],
    ['an empty line', good.replace('# EOF', '\n# EOF'), 1],
  ])('find %s', (_, text, count) => {
    expect(brokenRules(text)).toHaveLength(count)
  })
})
