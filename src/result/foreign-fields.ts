import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'

const objects = z.record(z.string(), z.unknown())
const lists = z.array(z.unknown()).nullish()
const numbers = z.number().nullish()
const texts = z.string().nullish()

type Inner = ForeignFields | readonly ForeignFields[] | Readonly<Record<string, ForeignFields>>

/**
 * One object of another tool's file: takes fields one by one, checked, and knows which are left. Absent is `null`.
 * What is wrong is thrown as TokgridError (usage) that names the file and the field.
 */
export class ForeignFields {
  readonly #source: Readonly<Record<string, unknown>>
  readonly #file: string
  readonly #path: readonly PropertyKey[]
  readonly #taken = new Set<string>()
  readonly #inner = new Map<string, Inner>()

  /** `file` and `path`, where in it the object stands, are for messages. */
  constructor(source: unknown, file: string, path: readonly PropertyKey[] = []) {
    this.#file = file
    this.#path = path
    const parsed = objects.safeParse(source)
    if (!parsed.success) throw this.refusal('an object is expected')
    this.#source = parsed.data
  }

  /** The error that says what is wrong with this object. */
  refusal(message: string, within: readonly PropertyKey[] = []): TokgridError {
    const path = [...this.#path, ...within].join('.')
    return new TokgridError('usage', [this.#file, path, message].filter(part => part !== '').join(': '))
  }

  has(name: string): boolean {
    return this.#source[name] !== undefined && this.#source[name] !== null
  }

  /** The field as `schema` reads it. */
  take<Output>(name: string, schema: z.ZodType<Output>): Output {
    this.#taken.add(name)
    return this.look(name, schema)
  }

  /** The same, but the field stays among the rest. */
  look<Output>(name: string, schema: z.ZodType<Output>): Output {
    const parsed = schema.safeParse(this.#source[name])
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw this.refusal(issue?.message ?? 'invalid', [name, ...(issue?.path ?? [])])
  }

  /** No figure of another tool is below zero: one that is, is unknown. */
  number(name: string): number | null {
    const value = this.take(name, numbers) ?? null
    return value === null || value < 0 ? null : value
  }

  /** A number of a tool that writes 0 for what it does not know. */
  positive(name: string): number | null {
    return this.number(name) || null
  }

  /** `null` for an empty text, too. */
  text(name: string): string | null {
    return this.take(name, texts) || null
  }

  /** The object in a field; empty when the field is absent. */
  object(name: string): ForeignFields {
    return this.#keep(name, this.#inside(this.#source[name] ?? {}, [name]))
  }

  /** The objects in a list; none when the field is absent. */
  list(name: string): readonly ForeignFields[] {
    const rows = this.look(name, lists) ?? []
    return this.#keep(
      name,
      rows.map((row, index) => this.#inside(row, [name, index])),
    )
  }

  /** The objects in an object, by name; none when the field is absent. */
  entries(name: string): readonly (readonly [string, ForeignFields])[] {
    const rows = Object.entries(this.look(name, objects.nullish()) ?? {}).map(
      ([key, row]) => [key, this.#inside(row, [name, key])] as const,
    )
    this.#keep(name, Object.fromEntries(rows))
    return rows
  }

  /** All fields that were not taken, at any depth. */
  rest(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#source)
        .filter(([name]) => !this.#taken.has(name))
        .map(([name, value]) => [name, restOf(this.#inner.get(name)) ?? value]),
    )
  }

  #inside(source: unknown, within: readonly PropertyKey[]): ForeignFields {
    return new ForeignFields(source, this.#file, [...this.#path, ...within])
  }

  #keep<Fields extends Inner>(name: string, inner: Fields): Fields {
    this.#inner.set(name, inner)
    return inner
  }
}

function restOf(inner: Inner | undefined): unknown {
  if (inner === undefined) return undefined
  if (inner instanceof ForeignFields) return inner.rest()
  if (Array.isArray(inner)) return inner.map(fields => fields.rest())
  return Object.fromEntries(Object.entries(inner).map(([name, fields]) => [name, fields.rest()]))
}
