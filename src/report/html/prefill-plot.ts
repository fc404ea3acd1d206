import { contextName, milliseconds, perSecond } from '../../format/units.ts'
import { doublingAxis, linearAxis } from './axis.ts'
import { axisRate, type PlacedRun } from './load-plots.ts'
import { type Plot, type PlotPoint, pointsOf } from './plot.ts'
import type { ReportRun } from './report-run.ts'

type Row = ReportRun['prefill'][number]

const kinds = [
  { name: 'net', colour: 7, of: (row: Row) => row.netTokensPerSecond },
  { name: 'prefill', colour: 4, of: (row: Row) => row.tokensPerSecond },
] as const

/** Prompt tok/s of cold prompts against their length, and the same without the host's work. */
export function prefillPlot(runs: readonly PlacedRun[]): Plot | null {
  const lines = kinds.flatMap(({ name, colour, of }) =>
    runs.map(({ run, place }, index) => ({
      name: index === 0 ? name : '',
      colour,
      run: place,
      points: run.prefill.map(row => pointOf(row, of(row), [...(runs.length > 1 ? [run.name] : []), name])),
    })),
  )
  const values = pointsOf(lines)
  if (values.length === 0) return null
  return {
    title: 'Prefill speed against context',
    xTitle: 'context, tokens',
    yTitle: 'prompt tok/s of one request',
    about: 'The numbers are in the table beside it.',
    x: doublingAxis(
      runs.flatMap(({ run }) => run.prefill.map(row => row.contextTokens)),
      contextName,
    ),
    y: linearAxis(
      values.map(({ y }) => y),
      axisRate,
    ),
    lines,
  }
}

function pointOf(row: Row, y: number | null, names: readonly string[]): PlotPoint | null {
  if (y === null) return null
  const told = [...names, contextName(row.contextTokens)].join(' ')
  return {
    x: row.contextTokens,
    y,
    spread: null,
    mark: row.status === 'valid' ? 'full' : 'cross',
    text: `${told}: ${perSecond(y)} tok/s, TTFT ${milliseconds(row.ttftMs)}`,
    cell: null,
  }
}
