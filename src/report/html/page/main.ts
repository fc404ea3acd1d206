import { cellPanel } from '../cell-panel.ts'
import { openedAtFirst } from '../comparable.ts'
import { figureOf, figures } from '../figures.ts'
import { loadFigures, prefillFigures } from '../load-figures.ts'
import { matrixTable } from '../matrix.ts'
import { plotFigure } from '../plot-figure.ts'
import { type PageData, type View, viewsOf } from '../report-run.ts'
import { runList } from '../run-list.ts'
import { dropDown, segments } from './controls.ts'
import { fill, place, toNodes } from './dom.ts'
import { makeGrid, select } from './grid.ts'
import { mountPlot } from './plot-view.ts'
import { themeButton } from './theme.ts'

const data: PageData = JSON.parse(place('data').textContent ?? '')
start(data)

/** Makes the page answer: what stands in it was drawn by the same functions. */
function start(data: PageData): void {
  const { runs } = data
  const [first] = runs
  if (first === undefined) return
  const views = viewsOf(runs)
  let figure = figureOf('total')
  let view: View = views[data.firstView] ?? { kind: 'run', run: first }
  let hidden: ReadonlySet<number> = new Set()
  let selected = openedAtFirst(runs)

  const visible = () =>
    runs.map((run, index) => ({ run, place: index })).filter(one => !hidden.has(one.place))
  const drawMatrix = () => {
    fill(place('matrix-place'), matrixTable(view, figure, data))
    const table = document.querySelector<HTMLTableElement>('#matrix')
    if (table !== null) makeGrid(table, selected, open)
  }
  const drawCell = () => {
    const panel = selected === null ? null : cellPanel(selected, visible())
    if (panel === null) return
    place('cell-title').textContent = panel.title
    fill(place('cell-body'), panel.markup)
    for (const one of panel.figures) mountPlot(one, open)
  }
  const drawCurves = () => {
    for (const [id, all] of [
      ['load-plots', loadFigures(visible())],
      ['prefill-plots', prefillFigures(visible())],
    ] as const) {
      fill(place(id), all.map(plotFigure))
      for (const one of all) mountPlot(one, open)
    }
  }
  function open(key: string): void {
    selected = key
    drawCell()
    const table = document.querySelector<HTMLTableElement>('#matrix')
    if (table !== null) select(table, key)
    const title = place('cell-title')
    place('said').textContent =
      `${title.textContent}: ${place('cell-body').querySelector('.verdict p')?.textContent}`
    title.scrollIntoView({ block: 'nearest' })
  }

  place('page-controls').append(themeButton())
  const controls = place('matrix-controls')
  fill(controls, [
    segments(
      'figure',
      'Figure',
      figures.map(({ key, name }) => ({ value: key, text: name })),
      figure.key,
    ),
    views.length > 1
      ? dropDown(
          'view',
          'Show',
          views.map((one, index) => ({ value: String(index), text: viewName(one) })),
          String(data.firstView),
        )
      : null,
  ])
  controls.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) figure = figureOf(target.value)
    if (target instanceof HTMLSelectElement) view = views[Number(target.value)] ?? view
    drawMatrix()
  })
  if (runs.length > 1) {
    place('runs').replaceWith(...toNodes(runList(runs, true)))
    place('runs').addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return
      const index = Number(target.value)
      hidden = new Set(target.checked ? [...hidden].filter(one => one !== index) : [...hidden, index])
      drawCurves()
      drawCell()
    })
  }
  drawMatrix()
  drawCell()
  drawCurves()
}

function viewName(view: View): string {
  return view.kind === 'run' ? view.run.name : `${view.to.name} compared with ${view.from.name}`
}
