/** A value that came from a file, with the path at which it stands there; reading one of the wrong kind throws, with that path. */
export class CheckedJson {
  readonly value: unknown
  readonly path: string

  constructor(value: unknown, path = '') {
    this.value = value
    this.path = path
  }

  /** The member of an object; an absent one has the value undefined. */
  at(key: string): CheckedJson {
    const { value } = this
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.#wrong('an object')
    return new CheckedJson(Reflect.get(value, key), this.path === '' ? key : `${this.path}.${key}`)
  }

  get isMissing(): boolean {
    return this.value === undefined || this.value === null
  }

  list(): CheckedJson[] {
    const { value } = this
    if (!Array.isArray(value)) throw this.#wrong('a list')
    return value.map((item, i) => new CheckedJson(item, `${this.path}[${i}]`))
  }

  /** A finite number of at least `least`. */
  number(least = Number.NEGATIVE_INFINITY): number {
    const { value } = this
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least)
      throw this.#wrong(Number.isFinite(least) ? `a number of at least ${least}` : 'a number')
    return value
  }

  integer(least: number): number {
    const value = this.number(least)
    if (!Number.isInteger(value)) throw this.#wrong('a whole number')
    return value
  }

  text(): string {
    const { value } = this
    if (typeof value !== 'string') throw this.#wrong('a text')
    return value
  }

  flag(): boolean {
    const { value } = this
    if (typeof value !== 'boolean') throw this.#wrong('true or false')
    return value
  }

  oneOf<T extends string>(names: readonly T[]): T {
    const found = names.find(name => name === this.value)
    if (found === undefined) throw this.#wrong(names.map(name => `"${name}"`).join(' or '))
    return found
  }

  /** Null where the value is missing, else what `read` makes of it. */
  optional<T>(read: (json: CheckedJson) => T): T | null {
    return this.isMissing ? null : read(this)
  }

  #wrong(wanted: string): Error {
    const shown = JSON.stringify(this.value)?.slice(0, 40) ?? 'nothing'
    return new Error(`${this.path || 'the document'} must be ${wanted}, but is ${shown}`)
  }
}
