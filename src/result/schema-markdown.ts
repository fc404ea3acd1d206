import type { z } from 'zod'
import { resultJsonSchema } from './json-schema.ts'
import { schemaVersion } from './schema.ts'

type Schema = z.core.JSONSchema.BaseSchema
type Row = { readonly path: string; readonly type: string; readonly meaning: string }

/** The reference of the result file for readers, made from its schema. */
export function schemaMarkdown(): string {
  const root = resultJsonSchema()
  const shared = Object.entries(root.$defs ?? {}).filter(([name]) => name !== 'figures')
  return [
    `# The result file, version ${schemaVersion}`,
    '',
    'Made by `npm run docs` from the schema; `tokgrid schema` prints it as JSON Schema. One JSON document. Units stand in',
    'the names; `null` is not known, `0` is measured. What each figure means, to the formula, stands in METHODOLOGY.md.',
    '',
    'Fields that are not listed here are left alone by readers, and new ones may come at any time: readers take an absent',
    'one as `null`. `schemaVersion` rises when a field goes away, gets another name or means something else; tokgrid reads',
    'all older versions and refuses newer ones.',
    '',
    ...table(rowsOf(root, '')),
    ...shared.flatMap(([name, schema]) => [
      '',
      `## ${name}`,
      '',
      `${schema.description ?? ''}.`,
      '',
      ...table(rowsOf(schema, '')),
    ]),
    '',
  ].join('\n')
}

/** The fields of an object, and of the objects in it. */
function rowsOf(schema: Schema, path: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return []
    const inner = innermost(property)
    const place = `${path}${name}${inner.suffix}`
    return [
      {
        path: place,
        type: typeOf(property),
        meaning: property.description ?? inner.schema.description ?? '',
      },
      ...rowsOf(inner.schema, `${place}.`),
    ]
  })
}

/** Through `null` and lists to what stands inside; `[]` for each list. */
function innermost(schema: Schema): { readonly schema: Schema; readonly suffix: string } {
  const [only, ...others] = (schema.anyOf ?? []).filter(one => one.type !== 'null')
  if (only !== undefined && others.length === 0) return innermost(only)
  const { items } = schema
  if (typeof items !== 'object' || Array.isArray(items)) return { schema, suffix: '' }
  const inner = innermost(items)
  return { schema: inner.schema, suffix: `[]${inner.suffix}` }
}

const words: Readonly<Record<string, string>> = {
  integer: 'whole number',
  string: 'text',
  boolean: 'yes or no',
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return reference(schema.$ref)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${value}\``).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.format === 'date-time') return 'time, ISO 8601'
  if (schema.type === 'array' && typeof schema.items === 'object' && !Array.isArray(schema.items))
    return `list: ${typeOf(schema.items)}`
  const types: readonly (string | undefined)[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.map(type => words[type ?? ''] ?? type ?? 'anything').join(' or ')
}

function reference(target: string): string {
  const name = target.replace(/^.*\//, '')
  return name === 'figures' ? 'the figures of a cell' : `[${name}](#${name})`
}

function table(rows: readonly Row[]): string[] {
  return [
    '| field | type | meaning |',
    '|---|---|---|',
    ...rows.map(({ path, type, meaning }) => `| \`${path}\` | ${type} | ${meaning} |`),
  ]
}
