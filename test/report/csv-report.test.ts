import { expect, test } from 'vitest'
import { csvReport } from '../../src/report/csv-report.ts'
import { figures } from '../../src/report/measurements.ts'
import { resultJsonSchema } from '../../src/result/json-schema.ts'
import { sampleResult } from '../support/sample-result.ts'
import { seedResult } from '../support/seed-result.ts'

const lines = (csv: string) => csv.split('\r\n')
const row = (line = '') => line.split(',')

test('each measurement is a row with all its digits under the names of the result file', () => {
  const [titles, ...rows] = lines(csvReport([{ name: 'q.json', result: seedResult('qwen3.5-35b-a3b-h200') }]))
  // 7 prefill rows, 48 cells, and nothing after the last line's end
  expect(rows.length).toBe(7 + 48 + 1)
  const at = (line: string | undefined, name: string) => row(line)[row(titles).indexOf(name)]
  const [prefill] = rows
  expect(at(prefill, 'run')).toBe('q.json')
  expect(at(prefill, 'phase')).toBe('prefill')
  expect(at(prefill, 'totalTokensPerSecond.mean')).toBe('28100')
  expect(at(prefill, 'ttftMs.headline')).toBe('290')
  const cell = rows[7 + 5]
  expect([at(cell, 'contextTokens'), at(cell, 'concurrency'), at(cell, 'status')]).toEqual([
    '8192',
    '32',
    'requests-queued',
  ])
  expect(at(cell, 'totalTokensPerSecond.mean')).toBe('2945.8')
  expect(at(cell, 'outputTokens')).toBe('88316')
  expect(at(cell, 'totalTokensPerSecond.ci95')).toBe('')
  expect(at(cell, 'gpuCount')).toBe('1')
})

test('several runs are one table', () => {
  const run = { name: 'a.json', result: sampleResult() }
  const csv = csvReport([run, { ...run, name: 'b.json' }])
  expect(lines(csv).map(line => row(line)[0])).toEqual(['run', 'a.json', 'a.json', 'b.json', 'b.json', ''])
})

test('a comma, a quote and a formula stay text', () => {
  const sample = sampleResult()
  const named = (id: string) => ({
    ...sample,
    server: { ...sample.server, model: { id, path: null, revision: null } },
  })
  const csvOf = (id: string) => csvReport([{ name: 'a', result: named(id) }])
  expect(csvOf('a,"b"')).toContain(',"a,""b""",')
  expect(csvOf('=1+1')).toContain(",'=1+1,")
  expect(csvOf('@x')).toContain(",'@x,")
  expect(csvOf('-x')).toContain(",'-x,")
})

test('every figure of a cell but its course has a column', () => {
  const { $defs: named = {}, properties }: Shape = JSON.parse(JSON.stringify(resultJsonSchema()))
  const paths = scalarPaths(properties?.decode?.items ?? {}, named)
  const told = new Set(figures.map(({ path }) => path))
  const elsewhere =
    /^(contextTokens|concurrency|status|reasons|limits|partial|series|measuredIn|hardware\.throttle)\b/
  expect(paths.filter(path => !told.has(path) && !elsewhere.test(path))).toEqual([])
  const ofPrefill = new Set(['netTokensPerSecond', 'hostTokenizeMs'])
  expect([...told].filter(path => !paths.includes(path) && !ofPrefill.has(path))).toEqual([])
})

type Shape = {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Shape>>
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

/** The paths of everything that is no object in a shape of JSON Schema. */
function scalarPaths(shape: Shape, named: Readonly<Record<string, Shape>>, path = ''): readonly string[] {
  const shapes = [shape, ...(shape.anyOf ?? [])].flatMap(one => [
    one,
    named[one.$ref?.split('/').at(-1) ?? ''] ?? {},
  ])
  const inner = shapes.flatMap(({ properties }) => Object.entries(properties ?? {}))
  if (inner.length === 0) return [path]
  return inner.flatMap(([name, one]) => scalarPaths(one, named, path === '' ? name : `${path}.${name}`))
}
