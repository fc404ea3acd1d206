import { decimal, milliseconds, percent, perSecond } from '../../format/units.ts'
import { linearAxis } from './axis.ts'
import type { Plot, PlotPoint } from './plot.ts'
import type { ReportCell } from './report-run.ts'

export type CellSeries = NonNullable<ReportCell['series']>

/** A cell's course in one run; `run` is the run's place among all runs of the page. */
export type RunSeries = { readonly name: string; readonly run: number; readonly series: CellSeries }

export type SeriesFigure = {
  readonly name: string
  readonly unit: string
  readonly of: (series: CellSeries) => readonly (number | null)[]
  readonly text: (value: number | null) => string
}

export const seriesFigures: readonly SeriesFigure[] = [
  { name: 'Throughput', unit: 'tok/s', of: series => series.tokensPerSecond, text: perSecond },
  { name: 'Time to first token', unit: 'TTFT', of: series => series.ttftMs, text: milliseconds },
  { name: 'Running', unit: 'requests', of: series => series.running, text: value => decimal(value, 1) },
  { name: 'Queued', unit: 'requests', of: series => series.queued, text: value => decimal(value, 1) },
  { name: 'KV cache', unit: 'in use', of: series => series.kvCacheUsage, text: percent },
]

/** The time in the middle of a point, seconds from the window's opening. */
export function timeOf(series: CellSeries, index: number): number {
  return (index + 0.5) * series.secondsPerPoint
}

/** One figure of a cell over its window, one line for each run; `null` when no run knows it. */
export function seriesPlot(figure: SeriesFigure, runs: readonly RunSeries[]): Plot | null {
  const known = runs.flatMap(({ series }) => figure.of(series).filter(value => value !== null))
  if (known.length === 0) return null
  const seconds = runs.map(({ series }) => series.tokensPerSecond.length * series.secondsPerPoint)
  return {
    title: figure.name,
    xTitle: '',
    yTitle: figure.unit,
    about: 'Its numbers are in the table beneath.',
    x: linearAxis(seconds, value => `${Number(value.toFixed(2))} s`),
    y: linearAxis(known, axisText(figure)),
    lines: runs.map(({ name, run, series }) => ({
      name: '',
      colour: 4,
      run,
      points: figure.of(series).map((value, index) => {
        if (value === null) return null
        const x = timeOf(series, index)
        const text = `${decimal(x, 1)} s: ${figure.text(value)}${runs.length > 1 ? `, ${name}` : ''}`
        return { x, y: value, spread: null, mark: 'none', text, cell: null } satisfies PlotPoint
      }),
    })),
  }
}

function axisText({ text }: SeriesFigure): (value: number) => string {
  return value => (value === 0 ? '0' : text(value).replace(/\.0(?=\D|$)/, ''))
}
