import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportCommand } from '../../src/cli/report-command.ts'
import { documentText } from '../../src/cli/result-file.ts'
import { sampleResult } from '../support/sample-result.ts'
import { seedResult } from '../support/seed-result.ts'
import { testFolder } from '../support/test-folder.ts'
import { fakeContext } from './fake-context.ts'

const folder = testFolder()
let shown = ''
const inFolder = (name: string) => join(folder, name)
beforeEach(() => {
  shown = ''
  writeFileSync(inFolder('qwen.json'), documentText(seedResult('qwen3.5-35b-a3b-h200')))
  writeFileSync(inFolder('deepseek.json'), documentText(seedResult('deepseek-v4-flash-2xh200')))
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation(text => {
      shown += text
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const report = (raw: Readonly<Record<string, unknown>>, ...names: string[]) =>
  reportCommand(raw, names.map(inFolder), fakeContext())

test.each([
  ['a.md', '# `Qwen3.5-35B-A3B`'],
  ['a.csv', 'run,startedAt,'],
  ['a.json', '{\n "schema": "tokgrid/result"'],
  ['a.txt', 'llm-inference-bench: qwen on sglang'],
])('the name %s chooses the format', async (name, start) => {
  expect(await report({ output: inFolder(name) }, 'qwen.json')).toBe(0)
  expect(readFileSync(inFolder(name), 'utf8').slice(0, start.length)).toBe(start)
  expect(shown).toBe('')
})

test('the format that is named counts more than the name of the file', async () => {
  await report({ output: inFolder('a.md'), format: 'csv' }, 'qwen.json')
  expect(readFileSync(inFolder('a.md'), 'utf8')).toMatch(/^run,/)
})

test('several results follow one another, in JSON as a list', async () => {
  await report({ format: 'terminal' }, 'qwen.json', 'deepseek.json')
  expect(shown).toMatch(/^== .*qwen\.json\nllm-inference-bench: qwen [\s\S]*\n\n== .*deepseek\.json\n/)
  shown = ''
  await report({ format: 'json' }, 'qwen.json', 'deepseek.json')
  expect(JSON.parse(shown).map((one: { server: { model: { id: string } } }) => one.server.model.id)).toEqual([
    'qwen',
    'deepseek',
  ])
})

test('a requirement that is not met ends with 4 and a sentence, after the report', async () => {
  const ttft = (p90: number) => {
    const steady = { n: 20, mean: 100, p50: 100, p90, p99: null, max: 900 }
    return { headline: 100, source: 'steady', steady, launch: steady } as const
  }
  const sample = sampleResult()
  const decode = sample.decode.map(cell => ({ ...cell, ttftMs: ttft(cell.concurrency === 1 ? 200 : 400) }))
  writeFileSync(inFolder('sample.json'), documentText({ ...sample, decode }))
  const slo = { slo: ['ttft=300ms'], format: 'terminal' }
  expect(await report({ ...slo, require: ['8k=1'] }, 'sample.json')).toBe(0)
  expect(shown).toMatch(/requests with TTFT within 300 ms\ncontext +8K\n +C +1\n/)
  expect(await report({ ...slo, require: ['8k=4'] }, 'sample.json')).toBe(4)
  expect(shown).toMatch(/tokgrid: .*sample\.json: 4 streams .* 8K holds 1\n$/)
})

test('a report never overwrites the result that it is of', async () => {
  await expect(report({ output: inFolder('qwen.json') }, 'qwen.json')).rejects.toThrow('would overwrite')
})

test('no file, and a format that there is not, are mistakes', async () => {
  await expect(report({})).rejects.toThrow('no file is named')
  await expect(report({ format: 'xml' }, 'qwen.json')).rejects.toThrow('is one of terminal, markdown')
})
