import type { Slo } from '../../domain/run-options.ts'
import { sloSection } from '../slo-section.ts'
import { cellPanel } from './cell-panel.ts'
import { openedAtFirst } from './comparable.ts'
import { figureOf } from './figures.ts'
import type { Entry } from './header.ts'
import { legend } from './legend.ts'
import { loadFigures } from './load-figures.ts'
import { element, type Markup } from './markup.ts'
import { matrixTable } from './matrix.ts'
import { plotFigure } from './plot-figure.ts'
import { type PageData, viewsOf } from './report-run.ts'
import { section } from './section.ts'
import { smallTable } from './tables.ts'

/** The matrix, its best cell, and the curves over all cells. */
export function decodeSection(entries: readonly Entry[], data: PageData): Markup {
  const { runs, slo, firstView } = data
  const view = viewsOf(runs)[firstView] ?? viewsOf(runs)[0]
  if (view === undefined) return null
  const placed = runs.map((run, place) => ({ run, place }))
  const opened = openedAtFirst(runs)
  const panel = opened === null ? null : cellPanel(opened, placed)
  const curves = loadFigures(placed)
  return [
    section(
      'decode',
      'Sustained decode',
      element('div', { id: 'matrix-controls' }),
      element('div', { class: 'scroll', id: 'matrix-place' }, matrixTable(view, figureOf('total'), data)),
      legend(
        runs,
        entries.some(({ result }) => sloSection(result, slo) !== null),
      ),
      entries.map(entry => sloTable(entry, slo, entries.length > 1)),
      element('p', { class: 'spoken', id: 'said', role: 'status' }),
      panel === null
        ? null
        : element(
            'section',
            { id: 'cell', 'aria-labelledby': 'cell-title' },
            element('h3', { id: 'cell-title' }, panel.title),
            element('div', { id: 'cell-body' }, panel.markup),
          ),
    ),
    curves.length === 0
      ? null
      : section(
          'load',
          'Under load',
          element('div', { class: 'plots', id: 'load-plots' }, curves.map(plotFigure)),
          element(
            'p',
            { class: 'key' },
            'Filled points are valid, open ones had requests queued. No line leads to crosses, which are invalid, nor on the frontier to pale points: another cell of their context gives more both to one request and to all.',
          ),
        ),
  ]
}

function sloTable({ result, run }: Entry, asked: Slo | null, isNamed: boolean): Markup {
  const found = sloSection(result, asked)
  if (found === null) return null
  const table = smallTable(
    `${isNamed ? `${run.name}: ` : ''}${found.heading}`,
    found.rows.map(([context]) => context),
    [{ name: 'requests at once', texts: found.rows.map(([, text]) => text) }],
  )
  return element('div', { class: 'scroll slo' }, table)
}
