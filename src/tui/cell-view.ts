import type { LiveSeries } from '../domain/live.ts'
import { decimal, milliseconds, percent, perSecond } from '../format/units.ts'
import { evidenceFacts, headFacts, latencyTable } from './cell-facts.ts'
import { type ChartTile, tileLines } from './chart-tiles.ts'
import { factLines } from './fact-lines.ts'
import type { Area } from './layout.ts'
import type { LongText } from './scrolled.ts'
import type { CellDetail } from './select-cell.ts'
import type { NowView } from './select-now.ts'
import { kvStyle } from './server-panel.ts'
import { fitHeight, fitLine, type Line, type Style, span } from './span.ts'
import { verdictLines, verdictMark } from './verdict-lines.ts'

/** From here on the charts stand beside the text. */
const besideFrom = 150
const textWidth = 74
const gap = 2
/** A row of charts with a scale that can be read. */
const chartHeight = { least: 6, good: 9 }

/** One cell: its course over the window, its figures, and the evidence for them. Charts take what the text leaves of the area. */
export function cellText(cell: CellDetail, { width, height }: Area): LongText {
  const isBeside = width >= besideFrom && hasCourse(cell)
  const column = isBeside ? textWidth : width
  const { first, rest } = texts(cell, column)
  const room = height - 1
  const spare = Math.max(chartHeight.least, room - first.length - rest.length)
  return {
    title: `Cell ${cell.name}`,
    end: verdictMark(cell),
    lines: isBeside
      ? beside([...first, ...rest], chartLines(cell, { width: width - column - gap, height: room }))
      : [...first, ...chartLines(cell, { width, height: spare }), ...rest],
    startsAt: 'start',
  }
}

function beside(text: readonly Line[], charts: readonly Line[]): readonly Line[] {
  return fitHeight(text, Math.max(text.length, charts.length)).map(
    (line, index): Line => [...fitLine(line, textWidth), span(' '.repeat(gap)), ...(charts[index] ?? [])],
  )
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

function charts(cell: CellDetail, course: LiveSeries): readonly ChartTile[] {
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
    measure: 'requests',
  })
  return [
    {
      ...tile('tok/s', now.speed, course.tokensPerSecond, 'good'),
      measure: 'speed',
    },
    {
      ...tile('TTFT', now.ttft, course.ttftMs, 'series'),
      measure: 'time',
    },
    tile('running', now.running, course.running, 'good'),
    tile('queued', now.queued, course.queued, 'warn'),
    {
      ...tile('KV cache', now.kv, course.kvCacheUsage, kvStyle(latest(course.kvCacheUsage))),
      measure: 'share',
    },
  ]
}

type ChartValues = Readonly<Record<'speed' | 'ttft' | 'running' | 'queued' | 'kv', string>>

/** What a server has told within this speaks of now. */
const nowSeconds = 3

function latestValues({ load, ttftMs }: NowView, course: LiveSeries): ChartValues {
  const now = (values: readonly (number | null)[]) =>
    latest(values.slice(-Math.ceil(nowSeconds / course.secondsPerPoint)))
  return {
    speed: perSecond(load?.tokensPerSecond ?? null),
    ttft: milliseconds(ttftMs),
    running: decimal(now(course.running), 0),
    queued: decimal(now(course.queued), 0),
    kv: percent(now(course.kvCacheUsage)),
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
