import { contextName, count, milliseconds, perSecond, unknown } from '../../format/units.ts'
import type { RunResult } from '../../result/schema.ts'
import { measurementsOf, shownFigures, textOf } from '../measurements.ts'
import { statusTexts } from '../status-text.ts'
import { type Element, element } from './markup.ts'

/** A run's result under the name that the page gives it. */
export type NamedResult = { readonly name: string; readonly result: RunResult }

export type Column = { readonly title: string; readonly isText: boolean }

/** Cold prompts by their length; the run's name in front where there are several. */
export function prefillTable(entries: readonly NamedResult[]): Element {
  const rows = entries.flatMap(({ name, result }) =>
    result.prefill.map(row => [
      ...(entries.length > 1 ? [name] : []),
      contextName(row.contextTokens),
      statusTexts[row.status].name,
      count(row.promptTokens),
      milliseconds(row.ttftMs),
      perSecond(row.tokensPerSecond),
      perSecond(row.netTokensPerSecond),
      milliseconds(row.hostTokenizeMs),
      row.samples.map(sampleText).join(', ') || unknown,
    ]),
  )
  return dataTable(
    'Cold prompts, one at a time; net is without the work of the host',
    [
      ...runColumn(entries),
      figure('Context'),
      text('Status'),
      figure('Prompt tokens'),
      figure('TTFT'),
      figure('tok/s'),
      figure('Net tok/s'),
      figure('Tokenizing'),
      text('Samples, TTFT'),
    ],
    rows,
  )
}

/** With what the server had cached of a prompt that should have been cold. */
function sampleText({ ttftMs, cachedTokens }: RunResult['prefill'][number]['samples'][number]): string {
  const cached = cachedTokens === null || cachedTokens === 0 ? '' : ` (${count(cachedTokens)} cached)`
  return `${milliseconds(ttftMs)}${cached}`
}

/** Prefill rows and cells with all figures that tables show. */
export function measurementsTable(entries: readonly NamedResult[]): Element {
  const all = entries.map(({ name, result }) => ({ name, measurements: measurementsOf(result) }))
  const figures = shownFigures(all.flatMap(({ measurements }) => measurements))
  return dataTable(
    'Latencies are medians. Total tok/s is output of all requests at once; of prefill it is prompt tokens.',
    [
      ...runColumn(entries),
      text('Phase'),
      figure('Context'),
      figure('Requests at once'),
      text('Status'),
      ...figures.map(({ shown }) => figure(shown?.title ?? '')),
    ],
    all.flatMap(({ name, measurements }) =>
      measurements.map(measurement => [
        ...(entries.length > 1 ? [name] : []),
        measurement.phase,
        contextName(measurement.row.contextTokens),
        String(measurement.concurrency),
        statusTexts[measurement.row.status].name,
        ...figures.map(one => textOf(one, measurement)),
      ]),
    ),
  )
}

function runColumn(entries: readonly NamedResult[]): readonly Column[] {
  return entries.length > 1 ? [text('Run')] : []
}

function figure(title: string): Column {
  return { title, isText: false }
}

function text(title: string): Column {
  return { title, isText: true }
}

export function dataTable(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Element {
  const kind = (index: number) => (columns[index]?.isText ? { class: 'text' } : {})
  return element(
    'table',
    { class: 'data' },
    caption === '' ? null : element('caption', {}, element('span', {}, caption)),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        columns.map(({ title }, index) => element('th', { scope: 'col', ...kind(index) }, title)),
      ),
    ),
    element(
      'tbody',
      {},
      rows.map(texts =>
        element(
          'tr',
          {},
          texts.map((one, index) => element('td', one === unknown ? { class: 'unknown' } : kind(index), one)),
        ),
      ),
    ),
  )
}

/** A table with names on both sides. */
export function smallTable(
  caption: string,
  columns: readonly string[],
  rows: readonly { readonly name: string; readonly texts: readonly string[] }[],
): Element {
  return element(
    'table',
    { class: 'small' },
    element('caption', {}, element('span', {}, caption)),
    columns.every(name => name === '')
      ? null
      : element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('td', {}),
            columns.map(name => element('th', { scope: 'col' }, name)),
          ),
        ),
    element(
      'tbody',
      {},
      rows.map(({ name, texts }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, name),
          texts.map(text => element('td', {}, text)),
        ),
      ),
    ),
  )
}
