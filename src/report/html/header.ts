import { isComparable } from '../../domain/comparable.ts'
import { cleanText } from '../../format/clean-text.ts'
import { contextName, milliseconds, perSecond } from '../../format/units.ts'
import type { RunResult } from '../../result/schema.ts'
import { statusTexts } from '../status-text.ts'
import { bestCell } from './comparable.ts'
import { type Element, element, type Markup } from './markup.ts'
import { cellName, type ReportCell, type ReportRun } from './report-run.ts'
import { runList } from './run-list.ts'

/** A run of the page: its whole result, and what the page shows of it. */
export type Entry = { readonly result: RunResult; readonly run: ReportRun }

export function pageTitle(entries: readonly Entry[]): string {
  return [...new Set(entries.map(({ result: { server } }) => modelName(server.model)))].join(', ')
}

/** The name under which a model is published, else that under which it is served. */
function modelName({ id, path }: RunResult['server']['model']): string {
  const name = path === null || path.startsWith('/') ? (id ?? path) : path
  return cleanText(name ?? 'a model without a name')
}

export function headline(entries: readonly Entry[]): Element {
  return element(
    'div',
    { class: 'headline' },
    element('p', { class: 'brand' }, 'tokgrid'),
    element('h1', {}, pageTitle(entries)),
    entries.length > 1
      ? runList(
          entries.map(({ run }) => run),
          false,
        )
      : entries.map(({ run }) => element('p', { class: 'subtitle' }, run.about)),
    entries.map(({ result, run }) => ending(result, entries.length > 1 ? `${run.name}: ` : '')),
  )
}

/** A run that did not come to its end says so first of all. */
function ending({ run: { ending, message } }: RunResult, before: string): Markup {
  if (ending === 'completed') return null
  const why = message === null ? '' : `: ${cleanText(message)}`
  const what = {
    running: 'This result was written while the run was still going',
    stopped: 'The run was stopped before its end',
    aborted: 'The run was given up',
  }[ending]
  return element('p', { class: 'warning' }, `${before}${what}${why}.`)
}

/** The figures that people quote, from cells that may be compared. */
export function highlights({ run: { cells, prefill } }: Entry): Markup {
  const comparable = cells.filter(isComparable)
  const best = bestCell(cells)
  const single = most(comparable, cell => cell.perRequestTokensPerSecond?.p50 ?? null)
  const quick = most(comparable, cell => (cell.ttftMs?.headline ? 1 / cell.ttftMs.headline : null))
  const read = most(
    prefill.filter(row => row.status === 'valid'),
    row => row.tokensPerSecond,
  )
  const tiles = [
    best && {
      value: perSecond(best.totalTokensPerSecond?.mean ?? null),
      unit: 'tok/s',
      what: 'most of all requests together',
      where: whereText(best),
    },
    single && {
      value: perSecond(single.perRequestTokensPerSecond?.p50 ?? null),
      unit: 'tok/s',
      what: 'fastest single request',
      where: whereText(single),
    },
    quick && {
      value: milliseconds(quick.ttftMs?.headline ?? null),
      unit: '',
      what: 'shortest TTFT, cached prompt',
      where: whereText(quick),
    },
    read && {
      value: perSecond(read.tokensPerSecond),
      unit: 'tok/s',
      what: 'fastest prefill',
      where: contextName(read.contextTokens),
    },
  ].flatMap(tile => tile ?? [])
  if (tiles.length === 0) return null
  return element(
    'ul',
    { class: 'tiles' },
    tiles.map(({ value, unit, what, where }) =>
      element(
        'li',
        {},
        element('span', { class: 'what' }, what),
        element('span', { class: 'number' }, value, unit === '' ? null : element('small', {}, ` ${unit}`)),
        element('span', { class: 'where' }, where),
      ),
    ),
  )
}

/** 8K × 128, requests queued */
function whereText(cell: ReportCell): string {
  return cell.status === 'valid' ? cellName(cell) : `${cellName(cell)}, ${statusTexts[cell.status].name}`
}

function most<T>(all: readonly T[], of: (one: T) => number | null): T | null {
  return (
    all.reduce<{ one: T; value: number } | null>((best, one) => {
      const value = of(one)
      return value !== null && (best === null || value > best.value) ? { one, value } : best
    }, null)?.one ?? null
  )
}
