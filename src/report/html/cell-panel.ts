import { decimal, unknown } from '../../format/units.ts'
import { statusTexts } from '../status-text.ts'
import type { PlacedRun } from './load-plots.ts'
import { type Element, element, type Markup } from './markup.ts'
import { measures, spreadParts, spreads } from './measures.ts'
import { type PlotFigure, plotFigure } from './plot-figure.ts'
import { cellKey, cellName, type ReportCell } from './report-run.ts'
import { type RunSeries, seriesFigures, seriesPlot, timeOf } from './series-plots.ts'
import { smallTable } from './tables.ts'

/** All that is known of one cell. `figures` are the plots that stand in the markup; `title` says which cell it is. */
export type CellPanel = {
  readonly title: string
  readonly markup: Markup
  readonly figures: readonly PlotFigure[]
}

/** A cell as one run has it; `run`: the run's place among all runs of the page. */
type Found = { readonly name: string; readonly run: number; readonly cell: ReportCell }

/** The verdict, the course and every figure of a cell, side by side for several runs; `null`: no run has it. */
export function cellPanel(key: string, runs: readonly PlacedRun[]): CellPanel | null {
  const found = runs.flatMap(({ run, place }): Found[] => {
    const cell = run.cells.find(one => cellKey(one) === key)
    return cell === undefined ? [] : [{ name: run.name, run: place, cell }]
  })
  const [first] = found
  if (first === undefined) return null
  const series = found.flatMap(({ name, run, cell }): RunSeries[] =>
    cell.series === null || cell.series.tokensPerSecond.length === 0
      ? []
      : [{ name, run, series: cell.series }],
  )
  const figures = seriesFigures.flatMap((figure, index): PlotFigure[] => {
    const plot = seriesPlot(figure, series)
    return plot === null ? [] : [{ id: `series-${index}`, plot, size: { width: 340, height: 170 } }]
  })
  const names = found.map(({ name }) => (found.length > 1 ? name : ''))
  const markup = [
    found.map(one => verdict(one, runs.length > 1)),
    figures.length === 0 ? null : element('div', { class: 'plots series' }, figures.map(plotFigure)),
    figures.length === 0 ? null : seriesTable(series),
    element('div', { class: `figures ${figuresClass(found.length)}` }, measureTables(found, names)),
    element('div', { class: 'scroll' }, spreadTable(found)),
    found.map(one => partial(one)),
  ]
  return { title: cellName(first.cell), markup, figures }
}

/** Tables of one run stand three abreast, of two runs two; those of more take the whole width. */
function figuresClass(runs: number): string {
  if (runs > 2) return 'many scroll'
  return runs === 2 ? 'two' : 'one'
}

function verdict({ name, cell }: Found, isNamed: boolean): Element {
  const { symbol, name: status, meaning } = statusTexts[cell.status]
  return element(
    'div',
    { class: `verdict ${cell.status}` },
    element(
      'p',
      {},
      isNamed ? `${name}: ` : null,
      element('b', {}, symbol === '' ? '' : `${symbol} `, status),
      ` – ${meaning}.`,
    ),
    cell.notes.length === 0
      ? null
      : element(
          'ul',
          {},
          cell.notes.map(note => element('li', {}, note)),
        ),
  )
}

/** One table for each group of measures, without those that no run knows. */
function measureTables(found: readonly Found[], names: readonly string[]): Markup {
  const groups = [...new Set(measures.map(({ group }) => group))]
  return groups.map(group => {
    const rows = measures
      .filter(measure => measure.group === group)
      .map(({ name, text }) => ({ name, texts: found.map(({ cell }) => text(cell)) }))
      .filter(({ texts }) => texts.some(text => text !== unknown))
    return rows.length === 0 ? null : smallTable(group, names, rows)
  })
}

function spreadTable(found: readonly Found[]): Markup {
  const rows = spreads.flatMap(({ name, of }) =>
    found.flatMap(({ name: run, cell }) => {
      const spread = of(cell)
      return spread == null || spread.n === 0
        ? []
        : [
            {
              name: found.length > 1 ? `${name}, ${run}` : name,
              texts: spreadParts.map(({ text }) => text(spread)),
            },
          ]
    }),
  )
  return rows.length === 0
    ? null
    : smallTable(
        'How latencies spread; – where there are too few to tell',
        spreadParts.map(({ name }) => name),
        rows,
      )
}

function seriesTable(runs: readonly RunSeries[]): Element {
  const times = new Set(
    runs.flatMap(({ series }) => series.tokensPerSecond.map((_, index) => timeOf(series, index))),
  )
  const columns = runs.flatMap(({ name: run, series }) =>
    seriesFigures.map(({ name, of, text }) => {
      const values = new Map(of(series).map((value, index) => [timeOf(series, index), value]))
      return {
        name: runs.length > 1 ? `${name}, ${run}` : name,
        at: (time: number) => text(values.get(time) ?? null),
      }
    }),
  )
  const rows = [...times]
    .sort((a, b) => a - b)
    .map(time => ({ name: `${decimal(time, 2)} s`, texts: columns.map(({ at }) => at(time)) }))
  return element(
    'details',
    {},
    element('summary', {}, 'These curves as numbers'),
    element(
      'div',
      { class: 'scroll', tabindex: 0 },
      smallTable(
        'Seconds from the opening of the window',
        columns.map(({ name }) => name),
        rows,
      ),
    ),
  )
}

/** What a cell that was cut short had. */
function partial({ name, cell }: Found): Markup {
  if (cell.partial === null) return null
  const kept = { ...cell, ...cell.partial }
  return [
    element('p', {}, 'It was cut short. What it had until then, never to be compared:'),
    element('div', { class: 'figures' }, measureTables([{ name, run: 0, cell: kept }], [''])),
  ]
}
