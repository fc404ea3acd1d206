import type { z } from 'zod'
import { seededRandom } from '../../src/domain/stagger.ts'
import { resultJsonSchema } from '../../src/result/json-schema.ts'
import { type RunResult, resultSchema } from '../../src/result/schema.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** Texts that break what is not escaped. */
const plainTexts = [
  '',
  'qwen',
  'a "b" \\ c',
  'line\nline',
  '≠ 模型 🚀',
  '</script>',
  '# EOF',
  'NaN',
  '__proto__',
]
const numbers = [0, 1, 0.1, 1 / 3, 7, 1e-9, 12_345.678, 2 ** 40]

/**
 * Any result that the schema takes: every field, null wherever it may be, empty and filled lists, any of `texts`; cells
 * are distinct.
 */
export function randomResult(random: () => number, texts: readonly string[] = plainTexts): RunResult {
  const root = resultJsonSchema()
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const value = (schema: Schema): unknown => {
    if (schema.$ref !== undefined) return value(shared(root, schema.$ref))
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return pick(schema.enum)
    if (schema.anyOf !== undefined) return value(pick(schema.anyOf))
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case 'object':
        return object(schema)
      case 'array':
        return Array.from({ length: Math.floor(random() * 4) }, () => value(itemsOf(schema)))
      case 'string':
        return schema.format === 'date-time' ? '2026-01-01T00:00:00+02:00' : pick(texts)
      case 'integer':
        return Math.floor(random() * 1000)
      case 'number':
        return schema.exclusiveMinimum === undefined ? pick(numbers) : 0.5
      case 'boolean':
        return random() < 0.5
      case 'null':
        return null
      default:
        return pick([null, 1, 'x'])
    }
  }
  const object = (schema: Schema) => {
    const entries = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
      const isAbsent = !(schema.required ?? []).includes(name) && random() < 0.5
      return typeof inner === 'boolean' || isAbsent ? [] : [[name, value(inner)] as const]
    })
    const { additionalProperties: open } = schema
    const others = typeof open === 'object' ? [[pick(texts), value(open)], ...entries] : entries
    return Object.fromEntries(others)
  }
  const result = resultSchema.parse(value(root))
  return {
    ...result,
    decode: result.decode.map((cell, index) => ({ ...cell, concurrency: 2 ** index })),
    prefill: result.prefill.map((row, index) => ({ ...row, contextTokens: 1024 * (index + 1) })),
  }
}

/** A random result with hostile texts, the same for the same seed. */
export function hostileResult(seed: number): RunResult {
  return randomResult(seededRandom(seed), hostileTexts)
}

/** Texts that break what does not expect them: of markup, of spreadsheets, of terminals, and of nothing. */
const hostileTexts = [
  '',
  ' ',
  'Qwen/Qwen3.5-35B-A3B',
  "=cmd|' /C calc'!A0",
  '+1',
  '-2+3',
  '@SUM(A1)',
  'a|b',
  'a\\|b',
  'a\\',
  '`',
  '``` x',
  'a`b``c',
  '\\`',
  '| --- |',
  '<script>alert(1)</script>',
  '</script><!--',
  '<img src=x onerror=y>',
  '&lt;',
  '@somebody and #12',
  'org/repo#1',
  '[a](javascript:b)',
  '![x](y)',
  '**b** _i_ ~~s~~ $x$',
  '\u001b[2J\u001b]0;title\u0007text',
  'a\rb\nc\td',
  '\u202eright to left',
  '\u0000',
  '\u0085',
  '\ufeff',
  'a,b"c',
  '"quoted"',
  "'single'",
  '模型😀',
  'e\u0301\u0301\u0301',
  '\ud800',
  'x'.repeat(300),
] as const

function shared(root: Schema, target: string): Schema {
  const found = root.$defs?.[target.replace(/^.*\//, '')]
  if (found === undefined) throw new Error(`${target} is not defined`)
  return found
}

function itemsOf({ items }: Schema): Schema {
  if (typeof items !== 'object' || Array.isArray(items)) throw new Error('a list of unknown things')
  return items
}
