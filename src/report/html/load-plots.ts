import { isComparable } from '../../domain/comparable.ts'
import { contextName, milliseconds, perSecond } from '../../format/units.ts'
import { doublingAxis, linearAxis, logAxis } from './axis.ts'
import { type Plot, type PlotLine, type PlotPoint, pointsOf } from './plot.ts'
import { cellKey, cellName, type ReportCell, type ReportRun } from './report-run.ts'

/** A run and its place among all runs of the page, which decides its stroke. */
export type PlacedRun = { readonly run: ReportRun; readonly place: number }

const whereNumbers = 'One line for each context. The numbers are in the table of all measurements.'
const colours = 9

/** Total tok/s against concurrency. */
export function throughputPlot(runs: readonly PlacedRun[]): Plot {
  const lines = contextLines(runs, ({ concurrency, totalTokensPerSecond: total }) =>
    total === null ? null : { x: concurrency, y: total.mean, spread: total.ci95 },
  )
  return {
    title: 'Throughput against concurrency',
    xTitle: 'requests at once',
    yTitle: 'tok/s, all requests together, with 95% intervals',
    about: whereNumbers,
    x: concurrencyAxis(runs),
    y: linearAxis(
      pointsOf(lines).map(({ y, spread }) => y + (spread ?? 0)),
      axisRate,
    ),
    lines,
  }
}

/** Median TTFT against concurrency. */
export function ttftPlot(runs: readonly PlacedRun[]): Plot {
  const lines = contextLines(runs, ({ concurrency, ttftMs }) =>
    ttftMs === null || ttftMs.headline === null || ttftMs.headline <= 0
      ? null
      : { x: concurrency, y: ttftMs.headline, spread: null },
  )
  return {
    title: 'Time to first token against concurrency',
    xTitle: 'requests at once',
    yTitle: 'TTFT, median, logarithmic',
    about: whereNumbers,
    x: concurrencyAxis(runs),
    y: logAxis(
      pointsOf(lines).map(({ y }) => y),
      axisTime,
    ),
    lines,
  }
}

/** What each request gets against what all get together: the choice that a server offers. */
export function frontierPlot(runs: readonly PlacedRun[]): Plot {
  const lines = contextLines(runs, ({ perRequestTokensPerSecond: request, totalTokensPerSecond: total }) =>
    request === null || request.p50 === null || total === null
      ? null
      : { x: request.p50, y: total.mean, spread: null },
  ).map(onFrontier)
  const values = pointsOf(lines)
  return {
    title: 'Frontier of latency and throughput',
    xTitle: 'tok/s of one request while it streams, median',
    yTitle: 'tok/s, all requests together',
    about: `Lines join the cells of a context that no other beats in both. ${whereNumbers}`,
    x: linearAxis(
      values.map(({ x }) => x),
      axisRate,
    ),
    y: linearAxis(
      values.map(({ y }) => y),
      axisRate,
    ),
    lines,
  }
}

type Spot = Pick<PlotPoint, 'x' | 'y' | 'spread'>

/** A line for each context and run, over ascending concurrency. */
function contextLines(
  runs: readonly PlacedRun[],
  spotOf: (cell: ReportCell) => Spot | null,
): readonly PlotLine[] {
  const contexts = [...new Set(runs.flatMap(({ run }) => run.cells.map(cell => cell.contextTokens)))].sort(
    (a, b) => a - b,
  )
  return runs.flatMap(({ run, place }, order) =>
    contexts.map((context, index) => ({
      name: order === 0 ? contextName(context) : '',
      colour: contexts.length === 1 ? 4 : Math.round((index * (colours - 1)) / (contexts.length - 1)),
      run: place,
      points: run.cells
        .filter(cell => cell.contextTokens === context)
        .sort((a, b) => a.concurrency - b.concurrency)
        .map(cell => pointOf(cell, spotOf(cell), runs.length > 1 ? `${run.name}, ` : '')),
    })),
  )
}

function pointOf(cell: ReportCell, spot: Spot | null, before: string): PlotPoint | null {
  if (spot === null) return null
  const { totalTokensPerSecond: total, ttftMs, status } = cell
  const told = [
    `${perSecond(total?.mean ?? null)} tok/s`,
    `TTFT ${milliseconds(ttftMs?.headline ?? null)}`,
    ...(status === 'valid' ? [] : [status.replaceAll('-', ' ')]),
  ]
  return {
    ...spot,
    mark: status === 'valid' ? 'full' : isComparable(cell) ? 'open' : 'cross',
    text: `${before}${cellName(cell)}: ${told.join(', ')}`,
    cell: cellKey(cell),
  }
}

/** Points that another of their line beats in both directions stay beside the line. */
function onFrontier(line: PlotLine): PlotLine {
  const rivals = line.points.filter(point => point !== null && point.mark !== 'cross')
  const isBeaten = (point: PlotPoint) =>
    rivals.some(
      other =>
        other !== null &&
        other !== point &&
        other.x >= point.x &&
        other.y >= point.y &&
        (other.x > point.x || other.y > point.y),
    )
  return {
    ...line,
    points: line.points.map(point =>
      point !== null && point.mark !== 'cross' && isBeaten(point) ? { ...point, mark: 'aside' } : point,
    ),
  }
}

function concurrencyAxis(runs: readonly PlacedRun[]) {
  return doublingAxis(
    runs.flatMap(({ run }) => run.cells.map(cell => cell.concurrency)),
    String,
  )
}

/** Round rates without their decimal. */
export function axisRate(value: number): string {
  return value === 0 ? '0' : perSecond(value).replace(/\.0(?=K|M|$)/, '')
}

function axisTime(value: number): string {
  return milliseconds(value).replace('.0 ', ' ')
}
