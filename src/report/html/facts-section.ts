import { cleanText } from '../../format/clean-text.ts'
import { unknown } from '../../format/units.ts'
import { factsOf } from '../facts.ts'
import { launchText } from '../launch-text.ts'
import type { Entry } from './header.ts'
import { type Element, element, type Markup } from './markup.ts'

/** What is known of each run, a column for each; what differs between them is marked. */
export function factTables(entries: readonly Entry[]): Element {
  // The command has a place of its own.
  const known = entries.map(({ result }) => factsOf(result).filter(({ name }) => name !== 'Command'))
  const groups = [...new Set(known.flat().map(({ group }) => group))]
  const textOf = (facts: (typeof known)[number], name: string) =>
    facts.find(fact => fact.name === name)?.text ?? unknown
  return element(
    'div',
    { class: entries.length > 1 ? 'facts several' : 'facts' },
    groups.map(group => {
      const rows = [...new Set(known.flat().flatMap(fact => (fact.group === group ? fact.name : [])))].map(
        name => ({ name, texts: known.map(facts => textOf(facts, name)) }),
      )
      const missing = rows.filter(({ texts }) => texts.every(text => text === unknown))
      return element(
        'table',
        {},
        element('caption', {}, group),
        entries.length > 1 ? runHeads(entries) : null,
        element(
          'tbody',
          {},
          rows.filter(row => !missing.includes(row)).map(factRow),
          missing.length === 0
            ? null
            : missingRow(
                missing.map(({ name }) => name),
                entries.length,
              ),
        ),
      )
    }),
  )
}

function runHeads(entries: readonly Entry[]): Element {
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      element('td', {}),
      entries.map(({ run }) => element('th', { scope: 'col' }, run.name)),
    ),
  )
}

type FactRow = { readonly name: string; readonly texts: readonly string[] }

function factRow({ name, texts }: FactRow): Element {
  const differs = new Set(texts).size > 1
  return element(
    'tr',
    differs ? { class: 'differs' } : {},
    element(
      'th',
      { scope: 'row' },
      name,
      differs ? element('span', { class: 'mark', title: 'differs' }, ' ≠') : null,
    ),
    texts.map(text =>
      element('td', text === unknown ? { class: 'unknown' } : {}, text === unknown ? 'not known' : text),
    ),
  )
}

function missingRow(names: readonly string[], columns: number): Element {
  return element(
    'tr',
    { class: 'unknown' },
    element('th', { scope: 'row' }, 'Not known'),
    element('td', { colspan: columns }, names.join(', ')),
  )
}

/** How the server was started and how the run was. */
export function commands(entries: readonly Entry[]): Markup {
  return entries.map(({ result: { server, run }, run: { name } }) => {
    const before = entries.length > 1 ? `${name}: ` : ''
    const launch = launchText(server.launch)
    return [
      command(`${before}Launch command`, launch.command, launch.origin),
      run.command === null ? null : command(`${before}Benchmark command`, cleanText(run.command), ''),
    ]
  })
}

function command(title: string, text: string | null, origin: string): Element {
  return element(
    'div',
    { class: 'command' },
    element('h3', {}, title, origin === '' ? null : element('small', {}, ` ${origin}`)),
    text === null ? null : element('pre', { tabindex: 0 }, element('code', {}, text)),
  )
}

/** The server's own settings, folded away. */
export function settingsTable(entries: readonly Entry[]): Markup {
  const names = [
    ...new Set(entries.flatMap(({ result }) => Object.keys(result.server.launch.settings))),
  ].sort()
  if (names.length === 0) return null
  return element(
    'details',
    {},
    element('summary', {}, `The server’s settings as it tells them (${names.length})`),
    element(
      'table',
      { class: 'settings' },
      element(
        'tbody',
        {},
        names.map(name =>
          factRow({
            name: cleanText(name),
            texts: entries.map(({ result }) => settingText(result.server.launch.settings[name])),
          }),
        ),
      ),
    ),
  )
}

function settingText(value: unknown): string {
  if (value === undefined || value === null) return unknown
  return cleanText(typeof value === 'string' ? value : (JSON.stringify(value) ?? unknown))
}
