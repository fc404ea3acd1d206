import { frontierPlot, type PlacedRun, throughputPlot, ttftPlot } from './load-plots.ts'
import type { PlotFigure } from './plot-figure.ts'
import { prefillPlot } from './prefill-plot.ts'

const size = { width: 560, height: 330 }

/** The plots over all cells. */
export function loadFigures(runs: readonly PlacedRun[]): readonly PlotFigure[] {
  return [
    { id: 'plot-throughput', plot: throughputPlot(runs), size },
    { id: 'plot-ttft', plot: ttftPlot(runs), size },
    { id: 'plot-frontier', plot: frontierPlot(runs), size },
  ].filter(({ plot }) => plot.lines.some(({ points }) => points.some(point => point !== null)))
}

/** The plot over all prefill rows, where there are any. */
export function prefillFigures(runs: readonly PlacedRun[]): readonly PlotFigure[] {
  const plot = prefillPlot(runs)
  return plot === null ? [] : [{ id: 'plot-prefill', plot, size }]
}
