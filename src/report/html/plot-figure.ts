import { drawPlot } from './draw-plot.ts'
import { type Element, element } from './markup.ts'
import type { Plot, Size } from './plot.ts'

/** A plot with its place in the page: its size is what it is drawn at where no script fits it to the page. */
export type PlotFigure = { readonly id: string; readonly plot: Plot; readonly size: Size }

export function plotFigure({ id, plot, size }: PlotFigure): Element {
  return element(
    'figure',
    { class: 'plot', id },
    element('figcaption', {}, element('b', {}, plot.title), ' ', element('span', {}, plot.yTitle)),
    element('div', { class: 'canvas' }, drawPlot(plot, size)),
  )
}
