import { contextName } from '../../format/units.ts'
import { verdictMarks } from '../change-text.ts'
import { matrixOf } from '../matrix.ts'
import { changeCells } from './change-cells.ts'
import { type Figure, figureBeneath } from './figures.ts'
import { type Element, element, type Markup } from './markup.ts'
import { cellKey, type PageData, type View } from './report-run.ts'
import { runCells } from './run-cells.ts'

/** By what the cells are judged. */
export type Terms = Pick<PageData, 'slo' | 'runNoise'>

/** The matrix as a table: contexts down, concurrency across. */
export function matrixTable(shown: View, figure: Figure, { slo, runNoise }: Terms): Element {
  const { concurrency, rows } = matrixOf(
    shown.kind === 'run' ? shown.run.cells : [...shown.from.cells, ...shown.to.cells],
  )
  const draw = shown.kind === 'run' ? runCells(shown.run, figure, slo) : changeCells(shown, figure, runNoise)
  return element(
    'table',
    { class: 'matrix', id: 'matrix' },
    element('caption', {}, element('span', {}, caption(shown, figure))),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('td', {}),
        element('th', { scope: 'colgroup', colspan: concurrency.length }, 'Requests at once'),
      ),
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'Context'),
        concurrency.map(streams => element('th', { scope: 'col' }, String(streams))),
      ),
    ),
    element(
      'tbody',
      {},
      rows.map(({ contextTokens }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, contextName(contextTokens)),
          concurrency.map(streams => draw(cellKey({ contextTokens, concurrency: streams }))),
        ),
      ),
    ),
  )
}

function caption(shown: View, figure: Figure): Markup {
  const { name, meaning, compared } = figure
  const what = [element('b', {}, name), ` – ${meaning}. `]
  if (shown.kind === 'run') return [what, `Beneath: ${figureBeneath(figure).name}. Colours by logarithm.`]
  const { better, worse, same, unknown } = verdictMarks
  const marks =
    compared === null
      ? 'Not judged: noise makes differences, too.'
      : `Judged at 95%: ${better} better, ${worse} worse, ${same} within noise, ${unknown} no interval to judge by.`
  return [what, `From ${shown.from.name} to ${shown.to.name}. ${marks}`]
}
