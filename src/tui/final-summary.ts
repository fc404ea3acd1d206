import type { CellSummary } from '../domain/cell-summary.ts'
import type { CellState, PrefillState, Progress, RunState } from '../domain/run-state.ts'
import { toAscii } from '../format/ascii.ts'
import { cleanText } from '../format/clean-text.ts'
import { type Column, table } from '../format/table.ts'
import { clock, milliseconds, perSecond, tokens } from '../format/units.ts'
import { limitWords, marks } from './marks.ts'
import { summaryNotes } from './summary-notes.ts'

export type SummaryOptions = {
  /** Where the result was saved; `null`: nowhere to be told of. */
  readonly savedTo: string | null
  readonly ascii: boolean
}

/** The run as plain text without styles, for the scrollback and for logs; ends with a newline. */
export function finalSummary(run: RunState, { savedTo, ascii }: SummaryOptions): string {
  const state = { ...run, cells: run.cells.map(ended), prefill: run.prefill.map(ended) }
  const sections = [
    headLines(state),
    prefillLines(state.prefill),
    decodeLines(state.cells),
    summaryNotes(state),
    savedTo === null ? [] : [`Saved to ${savedTo}`],
  ]
  const text = sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')
  return `${ascii ? text.split('\n').map(toAscii).join('\n') : text}\n`
}

/** What a run left undone when it ended was not run. */
function ended<T extends { readonly status: Progress }>(item: T): T {
  return item.status === 'planned' || item.status === 'running' ? { ...item, status: 'not-run' } : item
}

function headLines({ server, run, ending, cells, prefill }: RunState): readonly string[] {
  const lines: string[] = []
  if (server !== null) {
    const engine = [server.engine.name, server.engine.version ?? ''].join(' ').trim()
    lines.push(cleanText(`tokgrid: ${server.model.id} on ${engine} at ${server.url}`))
  }
  if (ending !== null && run !== null) {
    const all = [...prefill, ...cells].filter(({ status }) => status !== 'over-capacity')
    const measured = all.filter(({ summary }) => summary !== null).length
    const time = clock((ending.at - run.startedAt) / 1000)
    lines.push(`${ending.kind} after ${time}, ${measured} of ${all.length} measurements made`)
    if (ending.message !== null) lines.push(cleanText(ending.message))
  }
  return lines
}

function prefillLines(rows: readonly PrefillState[]): readonly string[] {
  if (rows.length === 0) return []
  const columns: readonly Column[] = [
    right('context'),
    right('tok/s'),
    right('TTFT'),
    { title: '', align: 'left' },
  ]
  return [
    'Prefill, one request at a time',
    ...table(
      columns,
      rows.map(({ plan, status, summary }) => [
        tokens(plan.contextTokens),
        perSecond(summary?.tokensPerSecond ?? null),
        milliseconds(summary?.ttftMs ?? null),
        status === 'valid' ? '' : marks[status].meaning,
      ]),
    ),
  ]
}

function decodeLines(cells: readonly CellState[]): readonly string[] {
  if (cells.length === 0) return []
  const concurrency = ascending(cells.map(({ plan }) => plan.concurrency))
  const contexts = ascending(cells.map(({ plan }) => plan.contextTokens))
  const rows = contexts.flatMap(contextTokens => {
    const row = concurrency.map(streams =>
      cells.find(({ plan }) => plan.contextTokens === contextTokens && plan.concurrency === streams),
    )
    const figures = [tokens(contextTokens), ...row.map(cell => (cell === undefined ? '' : figure(cell)))]
    if (row.every(cell => !cell?.summary)) return [figures]
    return [figures, ['', ...row.map(cell => (cell?.summary ? ttft(cell.summary) : ''))]]
  })
  return [
    'Decode, output tok/s of all streams, TTFT beneath; rows: context, columns: concurrency',
    ...table([right('context'), ...concurrency.map(streams => right(`C=${streams} `))], rows),
    ...legendLines(cells),
  ]
}

/** A space stands where the line above has its mark, so that figures stay in line. */
function ttft(summary: CellSummary): string {
  return `${milliseconds(summary.ttftMs.headline)} `
}

function figure({ status, summary, plan }: CellState): string {
  const { symbol } = marks[status]
  if (status === 'over-capacity' && plan.fit.kind === 'over')
    return `${limitWords[plan.fit.limits[0].kind].short}${symbol}`
  return summary === null ? symbol : `${perSecond(summary.totalTokensPerSecond.mean)}${symbol}`
}

function legendLines(cells: readonly CellState[]): readonly string[] {
  const statuses = [...new Set(cells.map(({ status }) => status))].filter(status => status !== 'valid')
  return statuses.length === 0
    ? []
    : [statuses.map(status => `${marks[status].symbol} ${marks[status].meaning}`).join('   ')]
}

function right(title: string): Column {
  return { title, align: 'right' }
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
