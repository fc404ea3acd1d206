import { cleanText } from '../format/clean-text.ts'
import type { RunResult } from '../result/schema.ts'
import { factsOf } from './facts.ts'

/** Something that is not the same in two runs, as texts; `–` where one does not tell. */
export type Contrast = { readonly name: string; readonly a: string; readonly b: string }

/**
 * What makes two runs measure different things: model, prompts, sampling, length of the answers. What only one of them
 * tells (the other may be foreign) is among it: nobody knows that they are alike.
 */
export function conflictsOf(a: RunResult, b: RunResult): readonly Contrast[] {
  return contrastsOf(termsOf(a, b), termsOf(b, a))
}

function termsOf({ run, server }: RunResult, other: RunResult): Texts {
  const { options, promptSet } = run
  const isPathKnown = server.model.path !== null && other.server.model.path !== null
  // The first files of ours do not tell these.
  const areBodiesKnown = options.extraBody !== undefined && other.run.options.extraBody !== undefined
  return new Map(
    Object.entries({
      model: isPathKnown ? server.model.path : server.model.id,
      'prompt set': promptSet === null ? null : `version ${promptSet.version}, ${promptSet.hash}`,
      prompts: options.prompts,
      temperature: temperatureOf(run),
      'respect-eos': options.respectEos,
      'max-tokens': options.maxOutputTokens,
      endpoint: areBodiesKnown ? options.endpoint : null,
      'extra-body': areBodiesKnown ? options.extraBody : null,
    }).map(([name, value]) => [name, textOf(value)]),
  )
}

/** A run of ours without one leaves it to the server; of a foreign one it is not known. */
function temperatureOf({ options, promptSet }: RunResult['run']): unknown {
  return options.temperature ?? (promptSet === null ? null : 'left to the server')
}

/** What `termsOf` tells of the options. */
const termOptions = new Set([
  'prompts',
  'temperature',
  'respectEos',
  'maxOutputTokens',
  'endpoint',
  'extraBody',
])

/** Facts that two runs never share, and those that `conflictsOf` or the options tell. */
const passedOver = new Set([
  'Command',
  'Started',
  'Ended',
  'Prompt set',
  'Max output',
  'Prompts',
  'Temperature',
  'Endpoint',
  'Added to requests',
  'Seed',
  'Time per measurement',
])

/** What else differs in hardware, server, launch settings, options and tool. */
export function differencesOf(a: RunResult, b: RunResult): readonly Contrast[] {
  const told = new Set(conflictsOf(a, b).map(({ name }) => name))
  return [
    ...contrastsOf(circumstancesOf(a), circumstancesOf(b)).filter(({ name }) => !told.has(name)),
    ...launchContrast(a.server.launch.command, b.server.launch.command),
  ]
}

/** Of two launch commands only the flags that differ: both can be pages long. */
function launchContrast(a: string | null, b: string | null): readonly Contrast[] {
  if (a === null || b === null || a === b) return []
  const [ours, theirs] = [a, b].map(command => cleanText(command).split(/ (?=-)/))
  const only = (flags: readonly string[] = [], others: readonly string[] = []) =>
    flags.filter(flag => !others.includes(flag)).join(' ') || unknown
  return [{ name: 'launch command', a: only(ours, theirs), b: only(theirs, ours) }]
}

function circumstancesOf(result: RunResult): Texts {
  const facts = factsOf(result).filter(({ name }) => !passedOver.has(name))
  return new Map([
    ...facts.map(({ name, text }) => [name, text] as const),
    ...flatten('launch ', result.server.launch.settings),
    ...flatten(
      'option ',
      Object.fromEntries(Object.entries(result.run.options).filter(([name]) => !termOptions.has(name))),
    ),
  ])
}

type Texts = ReadonlyMap<string, string>

const unknown = '–'

function contrastsOf(a: Texts, b: Texts): readonly Contrast[] {
  return [...new Set([...a.keys(), ...b.keys()])].flatMap(name => {
    const [ours, theirs] = [a.get(name) ?? unknown, b.get(name) ?? unknown]
    return ours === theirs ? [] : [{ name, a: ours, b: theirs }]
  })
}

/** `{a: {b: 1}}` as `a.b`: `1`; lists as one text. */
function flatten(prefix: string, value: object): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? flatten(`${prefix}${name}.`, field)
      : [[cleanText(`${prefix}${name}`), textOf(field)] as const],
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return unknown
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value))
}
