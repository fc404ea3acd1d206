import type { Option } from 'commander'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { TokgridError } from '../domain/failure.ts'
import { nearest } from './nearest.ts'
import { withoutSynonyms } from './synonyms.ts'
import { readText } from './target.ts'

/** Flags by the name that commander gives their values (`maxTokens`): what the command line would give, and its line. */
export type Config = ReadonlyMap<string, { readonly raw: unknown; readonly line: number }>

/**
 * Reads a YAML or JSON file of flags by name, `max-tokens` or `maxTokens`; lists may be lists. Throws TokgridError (usage)
 * that names file, line and flag. What a value means is for its command to say, as for those of the command line.
 */
export function readConfig(path: string, options: readonly Option[]): Config {
  const lines = new LineCounter()
  const document = parseDocument(readText(path, '--config'), { lineCounter: lines, prettyErrors: false })
  const refuse = (line: number, what: string, hint: string | null = null): never => {
    throw new TokgridError('usage', `${path}:${line}: ${what}`, hint)
  }
  const lineOf = (offset = 0) => Math.max(1, lines.linePos(offset).line)
  const [error] = document.errors
  if (error?.code === 'MULTIPLE_DOCS') return refuse(lineOf(error.pos[0]), 'a second document begins')
  if (error !== undefined) return refuse(lineOf(error.pos[0]), error.message)
  if (!isMap(document.contents)) return refuse(1, 'holds no flags', 'write lines like "contexts: 8k,16k"')
  const config = new Map<string, { raw: unknown; line: number }>()
  for (const { key, value } of document.contents.items) {
    const given = isScalar(key) ? String(key.value) : ''
    const line = lineOf(isScalar(key) ? key.range?.[0] : undefined)
    const name = flagName(given)
    const option = options.find(one => one.name() === name || (one.negate && one.attributeName() === name))
    if (option === undefined) {
      const near = nearest(
        name,
        options.map(one => one.name()),
      )
      return refuse(line, `there is no flag "${given}"`, near === null ? null : `did you mean ${near}?`)
    }
    if (config.has(option.attributeName())) return refuse(line, `--${option.name()} is given twice`)
    const raw = rawOf(resolved(value, document), option, name, document)
    if (raw === undefined) return refuse(line, `--${option.name()} takes ${wanted(option)}`)
    config.set(option.attributeName(), { raw, line })
  }
  return config
}

/** `maxTokens` and `max_tokens` as `max-tokens`; a synonym as the documented name. */
function flagName(given: string): string {
  const kebab = given.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replaceAll('_', '-')
  return (withoutSynonyms([`--${kebab}`])[0] ?? '').slice(2)
}

/** What commander would give for the flag; undefined when the value is not of its kind. */
function rawOf(node: unknown, option: Option, name: string, document: Document): unknown {
  if (!option.required) {
    const value = isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined
    return value !== undefined && name.startsWith('no-') ? !value : value
  }
  if (!takesList(option)) return textOf(node, document)
  const items = isSeq(node) ? node.items.map(item => resolved(item, document)) : [node]
  const texts = items.map(item => textOf(item, document))
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts
}

/** What an alias stands for; undefined when its anchor is not there. */
function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node
}

/** As it was written: a number keeps its digits. A map is a flag's JSON object. */
function textOf(node: unknown, document: Document): string | undefined {
  if (isMap(node)) return jsonOf(node, document)
  if (!isScalar(node) || node.value === null || typeof node.value === 'boolean') return undefined
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}

/** undefined when an alias in it leads nowhere, to itself or to too much. */
function jsonOf(node: YAMLMap, document: Document): string | undefined {
  try {
    return JSON.stringify(node.toJS(document))
  } catch {
    return undefined
  }
}

function takesList(option: Option): boolean {
  return option.variadic || option.parseArg !== undefined
}

function wanted(option: Option): string {
  if (!option.required) return 'true or false'
  return takesList(option) ? 'a value or a list of values' : 'one value'
}
