import type { CellSeries } from '../domain/series.ts'
import { decimal, milliseconds, percent, perSecond } from '../format/units.ts'
import { evidenceFacts, headFacts, latencyTable } from './cell-facts.ts'
import { type ChartTile, scaleLabels, tileLines } from './chart-tiles.ts'
import { factLines } from './fact-lines.ts'
import type { Area } from './layout.ts'
import type { CellDetail } from './select-cell.ts'
import type { NowView } from './select-now.ts'
import { fullScale, kvStyle } from './server-panel.ts'
import { fitHeight, fitLine, type Line, type Style, span } from './span.ts'
import { verdictHeading, verdictLines } from './verdict-lines.ts'

/** From here on the charts stand beside the text. */
const besideFrom = 150
const textWidth = 74
const gap = 2
/** A row of charts with a scale that can be read. */
const chartHeight = { least: 6, good: 9 }

/** One cell: its course over the window, its figures, and the evidence for them. Says what has no room. */
export function cellLines(cell: CellDetail | null, { width, height }: Area): readonly Line[] {
  if (cell === null) return fitHeight([[span('no cell is chosen', 'dim')]], height)
  const isBeside = width >= besideFrom && hasCourse(cell)
  const column = isBeside ? textWidth : width
  const { first, rest } = texts(cell, column)
  const title = verdictHeading(`Cell ${cell.name}`, cell, width)
  const room = height - 1
  if (isBeside) {
    const text = cutAt([...first, ...rest], room)
    const charts = chartLines(cell, { width: width - column - gap, height: room })
    const lines = fitHeight(text, room).map(
      (line, index): Line => [...fitLine(line, column), span(' '.repeat(gap)), ...(charts[index] ?? [])],
    )
    return fitHeight([title, ...lines], height)
  }
  const spare = room - first.length - rest.length
  const charts = chartLines(cell, { width, height: Math.max(chartHeight.least, spare) })
  const text = cutAt(rest, Math.max(0, room - first.length - charts.length))
  return fitHeight([title, ...first, ...charts, ...text], height)
}

/** Verdict and first figures; table and evidence. */
function texts(cell: CellDetail, width: number): { first: readonly Line[]; rest: readonly Line[] } {
  const { figures, scaling } = cell
  const verdict = verdictLines(cell, width)
  if (figures === null) return { first: verdict, rest: [] }
  const [titles = '', ...rows] = latencyTable(figures)
  return {
    first: [...verdict, ...factLines(headFacts(figures, scaling), width)],
    rest: [
      [span(titles, 'dim')],
      ...rows.map((row): Line => [span(row)]),
      ...factLines(evidenceFacts(figures), width),
    ],
  }
}

function cutAt(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room || room < 1) return lines.slice(0, Math.max(0, room))
  const left = lines.length - room + 1
  return [...lines.slice(0, room - 1), [span(`… ${left} more lines on a taller screen`, 'dim')]]
}

function hasCourse({ course }: CellDetail): boolean {
  return course !== null && course.tokensPerSecond.length > 0
}

function chartLines(cell: CellDetail, area: Area): readonly Line[] {
  const { course } = cell
  if (course === null || !hasCourse(cell) || area.height < chartHeight.least) return []
  const [speed, ttft, ...load] = charts(cell, course)
  if (speed === undefined || ttft === undefined) return []
  if (area.height >= 3 * chartHeight.good) return tileLines([[speed], [ttft], load], area)
  if (area.height >= 2 * chartHeight.least) return tileLines([[speed, ttft], load], area)
  return tileLines([[speed, ttft]], area)
}

function charts(cell: CellDetail, course: CellSeries): readonly ChartTile[] {
  const seconds = cell.courseSeconds
  const half = seconds / 2
  const times = ['0', ...(Number.isInteger(half) ? [String(half)] : []), `${seconds.toFixed(0)} s`]
  const points = Math.round(seconds / course.secondsPerPoint)
  const now = cell.live === null ? meanValues(cell) : latestValues(cell.live, course)
  const tile = (
    name: string,
    value: string,
    values: readonly (number | null)[],
    style: Style,
  ): ChartTile => ({
    name,
    value,
    // What is still to come stays free.
    values: [...values, ...Array.from({ length: Math.max(0, points - values.length) }, () => null)],
    style,
    times,
    label: scaleLabels.requests,
  })
  return [
    {
      ...tile('tok/s', now.speed, course.tokensPerSecond, 'good'),
      label: scaleLabels.speed,
    },
    {
      ...tile('TTFT', now.ttft, course.ttftMs, 'series'),
      label: scaleLabels.time,
    },
    tile('running', now.running, course.running, 'good'),
    tile('queued', now.queued, course.queued, 'warn'),
    {
      ...tile('KV cache', now.kv, course.kvCacheUsage, kvStyle(latest(course.kvCacheUsage))),
      label: scaleLabels.share,
      scale: fullScale,
    },
  ]
}

type ChartValues = Readonly<Record<'speed' | 'ttft' | 'running' | 'queued' | 'kv', string>>

function latestValues({ load, ttftMs }: NowView, course: CellSeries): ChartValues {
  return {
    speed: perSecond(load?.tokensPerSecond ?? null),
    ttft: milliseconds(ttftMs),
    running: decimal(latest(course.running), 0),
    queued: decimal(latest(course.queued), 0),
    kv: percent(latest(course.kvCacheUsage)),
  }
}

function meanValues({ figures }: CellDetail): ChartValues {
  const { totalTokensPerSecond, ttftMs, server } = figures ?? {}
  return {
    speed: `mean ${perSecond(totalTokensPerSecond?.mean ?? null)}`,
    ttft: `median ${milliseconds(ttftMs?.headline ?? null)}, ${ttftMs?.source ?? ''}`,
    running: `mean ${decimal(server?.running.mean ?? null, 1)}`,
    queued: `mean ${decimal(server?.queued.mean ?? null, 1)}`,
    kv: `mean ${percent(server?.kvCacheUsage.mean ?? null)}`,
  }
}

function latest(values: readonly (number | null)[]): number | null {
  return values.findLast(value => value !== null) ?? null
}
