import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resultJsonSchema } from '../../src/result/json-schema.ts'
import { schemaMarkdown } from '../../src/result/schema-markdown.ts'

test('RESULT-FILE.md is up to date; `npm run docs` renews it', () => {
  const written = readFileSync(new URL('../../RESULT-FILE.md', import.meta.url), 'utf8')
  expect(written).toBe(schemaMarkdown())
})

test('the reference names every field by its path, with its type', () => {
  const text = schemaMarkdown()
  expect(text).toContain('| `decode[].ttftMs.source` | `steady`, `launch`, `all` |')
  expect(text).toContain('| `decode[].series.ttftMs[]` | list: number or null |')
  expect(text).toContain('| `decode[].itlMs` | [distribution](#distribution) or null |')
  expect(text).toContain('| `run.startedAt` | time, ISO 8601 or null |')
  expect(text).toContain('\n## distribution\n')
})

test('the JSON Schema asks for what version 1 has always had, and takes what came later and what it does not know', () => {
  const schema = resultJsonSchema()
  expect(schema.required).toEqual([
    'schema',
    'schemaVersion',
    'tool',
    'run',
    'server',
    'hardware',
    'prefill',
    'decode',
  ])
  expect(schema.additionalProperties).toEqual({})
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
})
