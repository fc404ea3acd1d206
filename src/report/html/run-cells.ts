import { isComparable } from '../../domain/comparable.ts'
import type { Slo } from '../../domain/run-options.ts'
import { sloRows } from '../../domain/slo.ts'
import { heatLevel } from '../../format/heat.ts'
import { unknown } from '../../format/units.ts'
import { limitWords } from '../limit-text.ts'
import { statusTexts } from '../status-text.ts'
import { bestCell, kneeCells } from './comparable.ts'
import { type Figure, figureBeneath } from './figures.ts'
import { type Element, element, type Markup, spoken } from './markup.ts'
import { cellKey, type ReportCell, type ReportRun } from './report-run.ts'

const heatLevels = 8

/** Draws the cells of a run by their keys. */
export function runCells(run: ReportRun, figure: Figure, asked: Slo | null): (key: string) => Element {
  const byKey = new Map(run.cells.map(cell => [cellKey(cell), cell]))
  const values = run.cells.flatMap(cell => {
    const value = isComparable(cell) ? figure.of(cell) : null
    return value === null || value <= 0 ? [] : [value]
  })
  const range = { lowest: Math.min(...values), highest: Math.max(...values) }
  const best = bestCell(run.cells)
  const knees = new Set(kneeCells(run.cells))
  const holding = sloHolders(run, asked)
  return key => {
    const cell = byKey.get(key)
    if (cell === undefined) return element('td', { class: 'absent' })
    const marks = [
      ...(cell === best ? (['best'] as const) : []),
      ...(knees.has(cell) ? (['knee'] as const) : []),
      ...(holding.get(cell.contextTokens) === cell.concurrency ? (['SLO'] as const) : []),
    ]
    const value = figure.of(cell)
    if (value === null) return emptyCell(key, cell)
    const level = isComparable(cell) ? heatOf(value, range, figure) : null
    const beneath = figureBeneath(figure)
    return element(
      'td',
      { class: level === null ? 'flat' : `heat-${level}`, 'data-cell': key },
      element('span', { class: 'value' }, figure.text(value), markOf(cell)),
      element(
        'span',
        { class: 'beneath' },
        beneath.text(beneath.of(cell)),
        spoken(` ${beneath.name}`),
        marks.map(drawMark),
      ),
    )
  }
}

/** For each context the largest concurrency that holds the limits; none of them when none was asked. */
function sloHolders({ cells, slo }: ReportRun, asked: Slo | null): ReadonlyMap<number, number | null> {
  const limits = asked ?? slo
  if (limits === null || (limits.ttftMs === null && limits.itlMs === null)) return new Map()
  return new Map(sloRows(cells, limits).map(row => [row.contextTokens, row.concurrency]))
}

/** What is worth a mark beside the status of a cell. */
export const signs = {
  best: { symbol: '▲', meaning: 'highest total tok/s' },
  knee: { symbol: '◆', meaning: 'from here on twice the requests gain less than 10%' },
  SLO: { symbol: '✓', meaning: 'most requests at once within the asked limits' },
} as const

function drawMark(sign: keyof typeof signs): Markup {
  const { symbol, meaning } = signs[sign]
  return element('span', { class: `mark ${sign}`, title: `${sign}: ${meaning}` }, symbol, spoken(` ${sign}`))
}

/** The status, except where there is nothing to say. */
function markOf({ status }: ReportCell): Markup {
  const { symbol, name, meaning } = statusTexts[status]
  if (status === 'valid') return null
  return element(
    'span',
    { class: `mark ${status}`, title: `${name}: ${meaning}` },
    symbol,
    spoken(` ${name}`),
  )
}

function emptyCell(key: string, cell: ReportCell): Element {
  const { symbol, name } = statusTexts[cell.status]
  const why = cell.limit === null ? name : limitWords[cell.limit.kind].long
  return element(
    'td',
    { class: 'empty', 'data-cell': key },
    isComparable(cell)
      ? [
          element('span', { class: 'value' }, unknown, markOf(cell)),
          element('span', { class: 'beneath' }, spoken('not known')),
        ]
      : [
          element(
            'span',
            { class: 'value' },
            element('span', { class: `mark ${cell.status}`, title: name }, symbol),
          ),
          element('span', { class: 'beneath' }, why, cell.limit === null ? null : spoken(`: ${name}`)),
        ],
  )
}

/** 0, the worst of the matrix, to 7, the best; with `neither` the lowest to the highest. */
function heatOf(
  value: number,
  range: { lowest: number; highest: number },
  { better }: Figure,
): number | null {
  const level = heatLevel(value, range, heatLevels)
  return level !== null && better === 'low' ? heatLevels - 1 - level : level
}
