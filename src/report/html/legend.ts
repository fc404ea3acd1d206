import { statusTexts } from '../status-text.ts'
import { element, type Markup } from './markup.ts'
import type { ReportCell } from './report-run.ts'
import { signs } from './run-cells.ts'

/** What the marks in the matrix mean: of the statuses those that occur. `withSlo`: limits were asked. */
export function legend(cells: readonly ReportCell[], withSlo: boolean): Markup {
  const found = new Set<string>(cells.map(({ status }) => status))
  const statuses = Object.entries(statusTexts).flatMap(([status, { symbol, name, meaning }]) =>
    found.has(status) && symbol !== '' ? { status, symbol, name, meaning } : [],
  )
  return element(
    'ul',
    { class: 'legend' },
    statuses.map(({ status, symbol, name, meaning }) => entry(status, symbol, name, meaning)),
    Object.entries(signs).map(([name, { symbol, meaning }]) =>
      name === 'SLO' && !withSlo ? null : entry(name, symbol, name, meaning),
    ),
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
