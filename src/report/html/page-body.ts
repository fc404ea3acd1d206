import { cellNotes, nameAll } from '../cell-notes.ts'
import type { Section } from '../compare-sections.ts'
import { measurementsOf } from '../measurements.ts'
import { methodSentences } from '../method-text.ts'
import { decodeSection } from './decode-section.ts'
import { commands, factTables, settingsTable } from './facts-section.ts'
import { type Entry, headline, highlights } from './header.ts'
import { prefillFigures } from './load-figures.ts'
import { element, type Markup } from './markup.ts'
import { plotFigure } from './plot-figure.ts'
import type { PageData } from './report-run.ts'
import { section } from './section.ts'
import { dataTable, measurementsTable, prefillTable } from './tables.ts'

export type BodyOptions = {
  readonly data: PageData
  /** Told before all else. */
  readonly foreword: readonly Section[]
}

/** All that stands in the page; its script draws the same again, for what is chosen. */
export function pageBody(entries: readonly Entry[], { data, foreword }: BodyOptions): Markup {
  const [first] = entries
  if (first === undefined) return null
  return [
    element('a', { class: 'skip', href: '#decode' }, 'To the matrix'),
    element(
      'header',
      {},
      element('div', { id: 'page-controls' }),
      headline(entries),
      entries.length === 1 ? highlights(first) : null,
    ),
    element(
      'main',
      {},
      foreword.map(forewordSection),
      entries.some(({ run }) => run.cells.length > 0) ? decodeSection(entries, data) : null,
      entries.some(({ run }) => run.prefill.length > 0) ? prefillSection(entries) : null,
      section('run', 'Hardware, engine, run', factTables(entries), commands(entries), settingsTable(entries)),
      section(
        'measurements',
        'All measurements',
        element('div', { class: 'scroll', tabindex: 0 }, measurementsTable(entries.map(named))),
        notesList(entries),
      ),
      section('method', 'Method', methodList(entries)),
    ),
    element('footer', {}, 'Made by tokgrid. This page holds all of its data and loads nothing.'),
  ]
}

function prefillSection(entries: readonly Entry[]): Markup {
  const placed = entries.map(({ run }, place) => ({ run, place }))
  return section(
    'prefill',
    'Prefill',
    element(
      'div',
      { class: 'beside' },
      element('div', { id: 'prefill-plots' }, prefillFigures(placed).map(plotFigure)),
      element('div', { class: 'scroll', tabindex: 0 }, prefillTable(entries.map(named))),
    ),
  )
}

function named({ run: { name }, result }: Entry) {
  return { name, result }
}

/** What is to be known of single cells, each sentence once with all that it is true of. */
function notesList(entries: readonly Entry[]): Markup {
  return entries.map(({ result, run }) => {
    const notes = cellNotes(measurementsOf(result))
    if (notes.length === 0) return null
    return [
      entries.length > 1 ? element('h3', {}, run.name) : null,
      element(
        'ul',
        { class: 'notes' },
        notes.map(({ cells, sentence }) =>
          element('li', {}, element('b', {}, nameAll(cells)), `: ${sentence}`),
        ),
      ),
    ]
  })
}

function methodList(entries: readonly Entry[]): Markup {
  const sentences = [...new Set(entries.flatMap(({ result }) => methodSentences(result)))]
  return element(
    'ul',
    { class: 'method' },
    sentences.map(sentence => element('li', {}, sentence)),
  )
}

function forewordSection({ heading, lines, table }: Section, index: number): Markup {
  return section(
    `foreword-${index}`,
    heading,
    lines.map(line => element('p', {}, line)),
    table === null
      ? null
      : element(
          'div',
          { class: 'scroll', tabindex: 0 },
          dataTable(
            '',
            table.columns.map(({ title, align }) => ({ title, isText: align === 'left' })),
            table.rows,
          ),
        ),
  )
}
