import { statusTexts } from '../status-text.ts'
import { bestCell, kneeCells } from './comparable.ts'
import { element, type Markup } from './markup.ts'
import type { ReportRun } from './report-run.ts'
import { signs } from './run-cells.ts'

/** What the marks in the matrix of any of the runs mean, of those that occur. `withSlo`: limits were asked. */
export function legend(runs: readonly ReportRun[], withSlo: boolean): Markup {
  const found = new Set<string>(runs.flatMap(({ cells }) => cells.map(({ status }) => status)))
  const occurs = {
    best: runs.some(({ cells }) => bestCell(cells) !== null),
    knee: runs.some(({ cells }) => kneeCells(cells).length > 0),
    SLO: withSlo,
  }
  const statuses = Object.entries(statusTexts).flatMap(([status, { symbol, name, meaning }]) =>
    found.has(status) && symbol !== '' ? { status, symbol, name, meaning } : [],
  )
  return element(
    'ul',
    { class: 'legend' },
    statuses.map(({ status, symbol, name, meaning }) => entry(status, symbol, name, meaning)),
    (['best', 'knee', 'SLO'] as const)
      .filter(name => occurs[name])
      .map(name => entry(name, signs[name].symbol, name, signs[name].meaning)),
  )
}

function entry(kind: string, symbol: string, name: string, meaning: string): Markup {
  return element(
    'li',
    {},
    element('span', { class: `mark ${kind}` }, symbol),
    ' ',
    element('b', {}, name),
    ` ${meaning}`,
  )
}
