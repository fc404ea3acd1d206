import type { Slo } from '../domain/run-options.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount, contextName, unknown } from '../format/units.ts'
import type { ResultCell, ResultPrefill, RunResult } from '../result/schema.ts'
import { cellNotes } from './cell-notes.ts'
import { type Fact, factsOf, gpuNames, timeText, withUnknown } from './facts.ts'
import { launchText } from './launch-text.ts'
import { limitWords } from './limit-text.ts'
import { code, codeBlock, markdownTable, sentence } from './markdown-text.ts'
import { matrixOf } from './matrix.ts'
import { type Measurement, measurementsOf, rate, shownFigures, textOf, time } from './measurements.ts'
import { methodSentences } from './method-text.ts'
import { sloSection } from './slo-section.ts'
import { statusTexts } from './status-text.ts'

/**
 * A run as GitHub's markdown: all that its result tells but the courses of its cells, the matrix first. `slo`: the reader's limits, `null`
 * for those of the run. Ends with a newline.
 */
export function markdownReport(result: RunResult, slo: Slo | null): string {
  const measurements = measurementsOf(result)
  const sections = [
    headLines(result),
    decodeLines(result.decode),
    legendLines(result),
    sloLines(result, slo),
    prefillLines(result.prefill),
    noteLines(measurements),
    ...factSections(result),
    launchLines(result),
    allLines(measurements),
    ['## Method', '', ...methodSentences(result).map(text => `- ${sentence(text)}`)],
  ]
  return `${sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

function headLines({ server, hardware, run, prefill, decode }: RunResult): readonly string[] {
  const { engine, model } = server
  const name = cleanText(model.path?.split('/').at(-1) || model.id || '')
  const gpus = gpuNames(hardware.gpus)
  const { concurrency, rows } = matrixOf(decode)
  const parts = [
    rows.length === 0
      ? []
      : [
          `${amount(rows.length, 'context')} (${range(rows.map(({ contextTokens }) => contextName(contextTokens)))}) × ${amount(concurrency.length, 'concurrency level')} (${range(concurrency.map(String))})`,
        ],
    prefill.length === 0
      ? []
      : [`prefill at ${prefill.map(row => contextName(row.contextTokens)).join(', ')}`],
    run.startedAt === null ? [] : [`measured ${timeText(run.startedAt)}`],
    run.ending === 'completed' ? [] : [`run ${run.ending}`],
  ]
  return [
    `# ${code(name) || 'Unknown model'}${gpus === unknown || gpus === 'none' ? '' : ` on ${code(gpus)}`}`,
    '',
    [engine.name, engine.version, engine.quantization]
      .map(text => code(cleanText(text ?? '')))
      .filter(Boolean)
      .join(' · '),
    '',
    parts.flat().join(' · '),
    ...(run.message === null ? [] : ['', sentence(cleanText(run.message))]),
  ]
}

function range(texts: readonly string[]): string {
  const first = texts[0] ?? ''
  const last = texts.at(-1) ?? ''
  return first === last ? first : `${first}–${last}`
}

function factSections(result: RunResult): readonly (readonly string[])[] {
  const facts = withUnknown(factsOf(result))
  return [...new Set(facts.map(({ group }) => group))].map(group => [
    `## ${group}`,
    '',
    ...markdownTable(['', ''], facts.filter(fact => fact.group === group).map(factRow), 2),
  ])
}

function factRow({ name, text, isQuoted }: Fact): readonly string[] {
  return [sentence(name), isQuoted ? code(text) : sentence(text)]
}

function launchLines({ server }: RunResult): readonly string[] {
  const { command, origin } = launchText(server.launch)
  return [
    '## Launch command',
    '',
    ...(command === null ? ['Not known.'] : [...codeBlock(command), '', `_${origin}_`]),
  ]
}

function prefillLines(rows: readonly ResultPrefill[]): readonly string[] {
  if (rows.length === 0) return []
  return [
    '## Prefill',
    '',
    'Prompt tok/s by context length, one prompt at a time',
    '',
    ...markdownTable(
      ['Context', 'tok/s', 'net tok/s', 'TTFT', 'Samples', 'Status'],
      rows.map(row => [
        contextName(row.contextTokens),
        rate(row.tokensPerSecond),
        rate(row.netTokensPerSecond),
        time(row.ttftMs),
        row.samples.map(({ ttftMs }) => time(ttftMs)).join(', ') || unknown,
        statusTexts[row.status].name,
      ]),
      1,
    ),
  ]
}

function decodeLines(cells: readonly ResultCell[]): readonly string[] {
  if (cells.length === 0) return []
  const { concurrency, rows } = matrixOf(cells)
  return [
    '## Sustained decode',
    '',
    'Total tok/s ± its 95% interval, TTFT beneath; rows are context length, columns are simultaneous requests',
    '',
    ...markdownTable(
      ['Context', ...concurrency.map(String)],
      rows.map(row => [
        contextName(row.contextTokens),
        ...row.cells.map(cell => (cell === null ? '' : cellText(cell))),
      ]),
      1,
    ),
  ]
}

function cellText({ status, limit, totalTokensPerSecond, ttftMs }: ResultCell): string {
  const { symbol, name } = statusTexts[status]
  const mark = status === 'valid' ? [] : [`${symbol} ${name}`.trim()]
  const why = limit === null || status !== 'over-capacity' ? [] : [limitWords[limit.kind].long]
  if (totalTokensPerSecond === null) return [...mark, ...why].join('<br>')
  const { mean, ci95 } = totalTokensPerSecond
  const figure = `**${rate(mean)}**${ci95 === null ? '' : ` ± ${rate(ci95)}`}`
  return [figure, ...mark, `${time(ttftMs?.headline ?? null)} TTFT`].join('<br>')
}

function legendLines({ prefill, decode }: RunResult): readonly string[] {
  const found = new Set([...prefill, ...decode].map(({ status }) => status))
  return Object.entries(statusTexts)
    .filter(([status]) => status !== 'valid' && [...found].some(one => one === status))
    .map(([, { symbol, name, meaning }]) => `- ${symbol} **${name}**: ${meaning}`)
}

function sloLines(result: RunResult, slo: Slo | null): readonly string[] {
  const section = sloSection(result, slo)
  if (section === null) return []
  return [`## ${section.heading}`, '', ...markdownTable(['Context', 'Requests at once'], section.rows, 1)]
}

function allLines(measurements: readonly Measurement[]): readonly string[] {
  if (measurements.length === 0) return []
  const figures = shownFigures(measurements)
  return [
    '## All measurements',
    '',
    '<details>',
    '<summary>Every figure of every cell</summary>',
    '',
    'Latencies are medians. Total tok/s is output across all simultaneous requests; of prefill it is prompt tokens.',
    '',
    ...markdownTable(
      ['Phase', 'Context', 'Requests at once', 'Status', ...figures.map(({ shown }) => shown?.title ?? '')],
      measurements.map(measurement => [
        measurement.phase === 'prefill' ? 'Prefill' : 'Sustained decode',
        contextName(measurement.row.contextTokens),
        String(measurement.concurrency),
        statusTexts[measurement.row.status].name,
        ...figures.map(figure => textOf(figure, measurement)),
      ]),
      1,
    ),
    '',
    '</details>',
  ]
}

function noteLines(measurements: readonly Measurement[]): readonly string[] {
  const notes = cellNotes(measurements)
  if (notes.length === 0) return []
  return ['## Notes', '', ...notes.map(note => `- ${note.cells.join(', ')}: ${sentence(note.sentence)}`)]
}
