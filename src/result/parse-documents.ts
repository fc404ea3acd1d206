import { TokgridError } from '../domain/failure.ts'

/** Deeper than any result; what is deeper would overflow the stack of whoever walks through it. */
const deepest = 100

/** Nothing that is measured or set is larger; powers of larger ones would not be numbers. */
const largest = 1e30

/**
 * The JSON document in a text, or the documents of its lines. Python writes `NaN` and `Infinity`, which JSON lacks:
 * they become `null`, as do numbers beyond 1e30; those below 1e-30, 0. Throws TokgridError (usage) in one line when
 * there is no document.
 */
export function parseDocuments(text: string, file: string): readonly unknown[] {
  const bare = text.replace(/^\uFEFF/, '').trim()
  if (bare === '') throw new TokgridError('usage', `${file} is empty`)
  const documents = parse(bare) ?? parseLines(bare)
  if (documents === null)
    throw new TokgridError(
      'usage',
      `${file} is not JSON`,
      'give a result file of tokgrid or of a tool it imports',
    )
  if (documents.some(document => isDeeper(document, deepest)))
    throw new TokgridError('usage', `${file} is nested too deeply to be a result`)
  return documents.map(bounded)
}

function bounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bounded)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, bounded(inner)]))
  if (typeof value !== 'number') return value
  const size = Math.abs(value)
  if (size > largest) return null
  return size < 1 / largest ? 0 : value
}

function parse(text: string): readonly unknown[] | null {
  try {
    return [JSON.parse(text)]
  } catch {
    return null
  }
}

function parseLines(text: string): readonly unknown[] | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const documents = lines.map(line => parse(line) ?? parse(line.replace(words, finite)))
  const found = documents.filter(document => document !== null)
  // A document that stands in several lines and has such a number is not one of lines.
  if (found.length === documents.length) return found.flat()
  return parse(text.replace(words, finite))
}

/** Strings are matched so that what stands inside of them is left alone. */
const words = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g

function finite(word: string): string {
  return word.startsWith('"') ? word : 'null'
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}
