import type { RunState } from '../domain/run-state.ts'
import type { RankSample } from '../domain/server-sample.ts'
import { cleanText } from '../format/clean-text.ts'
import { type Column, table } from '../format/table.ts'
import { textWidth } from '../format/text-width.ts'
import { amount, clock, count, percent, perSecond } from '../format/units.ts'
import { type ChartTile, courseWidth, leastTileHeight, tileLines } from './chart-tiles.ts'
import { columnsIn, inColumns } from './in-columns.ts'
import type { Area } from './layout.ts'
import { type Reading, selectServer } from './select-server.ts'
import {
  factsLine,
  historySeconds,
  kvAmount,
  kvLine,
  kvStyle,
  plainTitle,
  type SampledServer,
  serverHeading,
  serverLines,
} from './server-panel.ts'
import { fitHeight, type Line, type Style, span } from './span.ts'

/** Below this a panel tells more than charts do. */
const leastArea = { width: 58, height: 15 }
/** Two tiles beside one another; of a run of ours, which have one more, three from this width on. */
const wideFrom = 100

/**
 * The server as it is, filling the area: pools, requests, speeds, each with its history, and the ranks.
 */
export function serverViewLines(
  state: RunState,
  now: number,
  area: Area,
  title = plainTitle,
): readonly Line[] {
  const { width, height } = area
  const isOurs = state.run !== null
  const across = isOurs && width >= wideFrom ? 3 : 2
  const hasRoom = width >= leastArea.width && height >= leastArea.height
  // One column of dots for each second.
  const seconds = hasRoom ? 2 * courseWidth(width, across) : historySeconds(area)
  const view = selectServer(state, now, seconds)
  if (view.kind !== 'sampled' || !hasRoom) return serverLines(view, area, title)
  const head = [serverHeading(view, width, title), kvLine(view, width), factsLine(view, width)]
  const rows = chartRows(view, seconds, across, isOurs)
  const ranks = rankLines(view.ranks, width, height - head.length - rows.length * leastTileHeight)
  const room = height - head.length - ranks.length
  return fitHeight([...head, ...tileLines(rows, { width, height: room }), ...ranks], height)
}

/** Requests first, then speeds and the cache. Without a load of ours nothing is known of what is being read. */
function chartRows(
  view: SampledServer,
  seconds: number,
  across: number,
  isOurs: boolean,
): readonly (readonly ChartTile[])[] {
  const times = [`${clock(seconds)} ago`, 'now']
  const tile = (name: string, { history }: Reading, value: string, style: Style): ChartTile => ({
    name,
    value,
    values: history,
    style,
    times,
    measure: 'requests',
  })
  const speed = (name: string, reading: Reading, style: Style): ChartTile => ({
    ...tile(name, reading, perSecond(reading.value), style),
    measure: 'speed',
  })
  const { running, queued, prefilling, kvUsage } = view
  const requests = [
    tile('running', running, count(running.value), 'good'),
    tile('queued', queued, count(queued.value), 'warn'),
    ...(isOurs ? [tile('prefilling', prefilling, count(prefilling.value), 'series')] : []),
  ]
  const rest: readonly ChartTile[] = [
    speed('generated tok/s', view.tokensPerSecond, 'good'),
    speed('prompt tok/s', view.prefillTokensPerSecond, 'series'),
    {
      ...tile('KV cache', kvUsage, percent(kvUsage.value), kvStyle(kvUsage.value)),
      measure: 'share',
    },
  ]
  return inRows([...requests, ...rest], across)
}

function inRows<T>(items: readonly T[], across: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / across) }, (_, row) =>
    items.slice(row * across, (row + 1) * across),
  )
}

const rankColumns: readonly Column[] = ['rank', 'running', 'queued', '  KV', 'tokens'].map(title => ({
  title,
  align: 'right',
}))

/** A table of the ranks, in several columns where there is room, in at most `room` lines; what has no room is said. */
function rankLines(ranks: readonly RankSample[], width: number, room: number): readonly Line[] {
  if (ranks.length === 0 || room < 1) return []
  const [titles = '', ...lines] = table(rankColumns, ranks.map(rankCells))
  const column = Math.max(...[titles, ...lines].map(textWidth))
  const across = Math.min(columnsIn(width, column), ranks.length)
  const most = across * (room - 1)
  const shown = ranks.length <= most ? ranks.length : Math.max(0, most - across)
  const hidden = ranks.length - shown
  const heads = Array.from({ length: across }, (): Line => [span(titles, 'dim')])
  const rows = lines.slice(0, shown).map((line): Line => [span(line)])
  return [
    ...(shown === 0 ? [] : [...inColumns(heads, across, column), ...inColumns(rows, across, column)]),
    ...(hidden === 0 ? [] : [[span(`${amount(hidden, 'rank')} without room`, 'dim')]]),
  ]
}

function rankCells({ name, running, queued, kvUsedTokens, kvCapacityTokens }: RankSample): readonly string[] {
  const usage = kvUsedTokens === null || !kvCapacityTokens ? null : kvUsedTokens / kvCapacityTokens
  return [
    cleanText(name),
    count(running),
    count(queued),
    percent(usage),
    kvAmount(kvUsedTokens, kvCapacityTokens),
  ]
}
