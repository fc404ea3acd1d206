import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { joinResults } from '../../src/result/join-results.ts'
import { readResult } from '../../src/result/read-result.ts'
import { sampleResult } from '../support/sample-result.ts'
import { seedResult } from '../support/seed-result.ts'

const vllm = (name: string, fields: object = {}) => {
  const text = readFileSync(new URL('../fixtures/import/vllm-bench-serve.json', import.meta.url), 'utf8')
  return { name, result: readResult(JSON.stringify({ ...JSON.parse(text), ...fields }), name) }
}

test('runs at several concurrencies become one matrix, in its order, each with what stood aside', () => {
  const joined = joinResults([vllm('b', { max_concurrency: 16 }), vllm('a', { label: 'first' })])
  expect(joined.decode.map(cell => cell.concurrency)).toEqual([8, 16])
  expect(joined.run.options).toMatchObject({ contexts: [1024], concurrency: [8, 16] })
  expect(joined.imported).toMatchObject({
    from: 'vllm bench serve',
    aside: { files: [{ name: 'b' }, { name: 'a', label: 'first' }] },
  })
})

test('one result stays as it is', () => {
  const result = sampleResult()
  expect(joinResults([{ name: 'a', result }])).toBe(result)
})

test('one result may not have a cell or a prefill row twice either', () => {
  const result = seedResult('qwen3.5-35b-a3b-h200')
  const [cell, row] = [result.decode.slice(0, 1), result.prefill.slice(0, 1)]
  const twice = (one: object) => () => joinResults([{ name: 'a', result: { ...result, ...one } }])
  expect(twice({ decode: [...result.decode, ...cell] })).toThrow(/^a has \d+ tokens × \d+ twice$/)
  expect(twice({ prefill: [...result.prefill, ...row] })).toThrow(/^a has \d+ tokens × 1 twice$/)
})

test.each([
  ['the same cell twice', vllm('b'), /a and b are both about 1024 tokens × 8/],
  ['different models', vllm('b', { max_concurrency: 16, model_id: 'x' }), /different models/],
  ['a result of tokgrid', { name: 'b', result: sampleResult() }, /b is a result of tokgrid/],
])('%s cannot be joined', (_, other, message) => {
  expect(() => joinResults([vllm('a'), other])).toThrow(message)
})
