import type { Slo } from '../domain/run-options.ts'
import { toAscii } from '../format/ascii.ts'
import { cleanText } from '../format/clean-text.ts'
import { type Column, foldedTable } from '../format/table.ts'
import { textWidth } from '../format/text-width.ts'
import { clock, contextName, milliseconds, perSecond, unknown } from '../format/units.ts'
import { wrap } from '../format/wrap.ts'
import type { ResultCell, ResultPrefill, RunResult } from '../result/schema.ts'
import { cellNotes, nameAll } from './cell-notes.ts'
import { factsOf, withUnknown } from './facts.ts'
import { launchText } from './launch-text.ts'
import { limitWords } from './limit-text.ts'
import { matrixOf } from './matrix.ts'
import { type Measurement, measurementsOf, shownFigures, textOf } from './measurements.ts'
import { methodSentences } from './method-text.ts'
import { sloSection } from './slo-section.ts'
import { statusTexts } from './status-text.ts'

export type TerminalOptions = {
  /** Columns that tables and sentences fit into. */
  readonly width: number
  readonly ascii: boolean
  /** Headings in bold. */
  readonly emphasis: boolean
  /** Adds all facts, all figures of all cells, and the method. */
  readonly details: boolean
  /** Limits that the reader asks for; `null`: those of the run. */
  readonly slo: Slo | null
  /** Where the result was saved; `null`: nowhere to be told of. */
  readonly savedTo: string | null
}

type Section = { readonly heading: string | null; readonly lines: readonly string[] }

/** A run as plain text: what a terminal shows at its end and whenever its result is read. Ends with a newline. */
export function terminalReport(result: RunResult, options: TerminalOptions): string {
  const { width, details } = options
  const measurements = measurementsOf(result)
  const sections: readonly Section[] = [
    { heading: null, lines: headLines(result).flatMap(line => wrap(line, width)) },
    ...(details ? factSections(result) : []),
    prefillSection(result.prefill, width),
    decodeSection(result.decode, width),
    ...(details ? [allSection(measurements, width)] : []),
    sloLines(result, options),
    { heading: 'Notes', lines: noteLines(measurements, width) },
    ...(details ? [{ heading: 'Method', lines: hangingLines(methodSentences(result), width) }] : []),
    { heading: null, lines: options.savedTo === null ? [] : [`Saved to ${options.savedTo}`] },
  ]
  return `${sections
    .filter(({ lines }) => lines.length > 0)
    .map(section => sectionText(section, options))
    .join('\n\n')}\n`
}

function sectionText({ heading, lines }: Section, { ascii, emphasis, width }: TerminalOptions): string {
  const plain = (line: string) => (ascii ? toAscii(line) : line)
  const titles = heading === null ? [] : wrap(heading, width).map(plain)
  return [
    ...(emphasis ? titles.map(line => `\u001b[1m${line}\u001b[22m`) : titles),
    ...lines.map(plain),
  ].join('\n')
}

function headLines({ tool, server, run, prefill, decode }: RunResult): readonly string[] {
  const engine = [server.engine.name ?? 'an unknown engine', server.engine.version ?? ''].join(' ').trim()
  const wanted = [...prefill, ...decode].filter(({ status }) => status !== 'over-capacity').length
  const measured =
    prefill.filter(row => row.ttftMs !== null).length +
    decode.filter(cell => cell.totalTokensPerSecond !== null).length
  const time = clock(secondsBetween(run.startedAt, run.endedAt))
  const ending = time === unknown ? run.ending : `${run.ending} after ${time}`
  return [
    `${tool.name}: ${server.model.id ?? 'an unknown model'} on ${engine}${server.url === null ? '' : ` at ${server.url}`}`,
    `${ending}, ${measured} of ${wanted} measurements made`,
    run.message ?? '',
  ].map(cleanText)
}

function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000
}

/** Unbroken, so that they can be copied. */
function factSections(result: RunResult): readonly Section[] {
  const facts = withUnknown(factsOf(result))
  const groups = [...new Set(facts.map(({ group }) => group))]
  const launch = launchText(result.server.launch)
  return [
    ...groups.map(group => ({
      heading: group,
      lines: facts.filter(fact => fact.group === group).map(({ name, text }) => `  ${name}: ${text}`),
    })),
    { heading: `Launch command, ${launch.origin}`, lines: [launch.command ?? 'not known'] },
  ]
}

function prefillSection(rows: readonly ResultPrefill[], width: number): Section {
  const columns = [right('context'), right('tok/s'), right('TTFT'), { title: '', align: 'left' } as const]
  const lines = rows.map(({ contextTokens, status, tokensPerSecond, ttftMs }) => [
    contextName(contextTokens),
    perSecond(tokensPerSecond),
    milliseconds(ttftMs),
    status === 'valid' ? '' : statusTexts[status].name,
  ])
  return {
    heading: 'Prefill, one request at a time',
    lines: rows.length === 0 ? [] : foldedTable(columns, lines, width, 1).flat(),
  }
}

function decodeSection(cells: readonly ResultCell[], width: number): Section {
  const { concurrency, rows } = matrixOf(cells)
  const lines = rows.flatMap(({ contextTokens, cells: row }) => {
    const figures = [contextName(contextTokens), ...row.map(cell => (cell === null ? '' : figure(cell)))]
    const beneath = ['', ...row.map(cell => (cell === null ? '' : ttft(cell)))]
    return beneath.every(text => text === '') ? [figures] : [figures, beneath]
  })
  const columns = [right('context'), ...concurrency.map(streams => right(`C=${streams} `))]
  const blocks = foldedTable(columns, lines, width, 1)
  return {
    heading: 'Decode, output tok/s of all streams, TTFT beneath; rows: context, columns: concurrency',
    lines: cells.length === 0 ? [] : [...withGaps(blocks), ...legendLines(cells, width)],
  }
}

function sloLines(result: RunResult, { slo, width }: TerminalOptions): Section {
  const section = sloSection(result, slo)
  if (section === null) return { heading: null, lines: [] }
  const columns = ['context', ...section.rows.map(([context]) => context)].map(right)
  const streams = ['C', ...section.rows.map(([, concurrency]) => concurrency)]
  return { heading: section.heading, lines: withGaps(foldedTable(columns, [streams], width, 1)) }
}

/** A space stands where the line above has its mark, so that figures stay in line. */
function ttft({ ttftMs }: ResultCell): string {
  return ttftMs === null ? '' : `${milliseconds(ttftMs.headline)} `
}

function figure({ status, limit, totalTokensPerSecond }: ResultCell): string {
  const symbol = statusTexts[status].symbol || ' '
  if (status === 'over-capacity' && limit !== null) return `${limitWords[limit.kind].short}${symbol}`
  return totalTokensPerSecond === null ? symbol : `${perSecond(totalTokensPerSecond.mean)}${symbol}`
}

function legendLines(cells: readonly ResultCell[], width: number): readonly string[] {
  const statuses = [...new Set(cells.map(({ status }) => status))].filter(status => status !== 'valid')
  const lines: string[] = []
  for (const item of statuses.map(status => `${statusTexts[status].symbol} ${statusTexts[status].name}`)) {
    const joined = `${lines.at(-1)}   ${item}`
    if (lines.length > 0 && textWidth(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(item)
  }
  return lines
}

function allSection(measurements: readonly Measurement[], width: number): Section {
  const figures = shownFigures(measurements)
  const columns = ['phase', 'context', 'C', 'status', ...figures.map(({ shown }) => shown?.title ?? '')].map(
    right,
  )
  const rows = measurements.map(measurement => [
    measurement.phase,
    contextName(measurement.row.contextTokens),
    String(measurement.concurrency),
    statusTexts[measurement.row.status].name,
    ...figures.map(one => textOf(one, measurement)).map(text => (text === unknown ? '' : text)),
  ])
  return { heading: 'All measurements', lines: withGaps(foldedTable(columns, rows, width, 3)) }
}

function noteLines(measurements: readonly Measurement[], width: number): readonly string[] {
  return hangingLines(
    cellNotes(measurements).map(({ cells, sentence }) => `${nameAll(cells)}: ${sentence}`),
    width,
  )
}

/** Each text by itself, two spaces from the edge, its further lines four more. */
function hangingLines(texts: readonly string[], width: number): readonly string[] {
  return texts.flatMap(text =>
    wrap(text, Math.max(20, width - 6)).map((line, index) => `${index === 0 ? '  ' : '      '}${line}`),
  )
}

function withGaps(blocks: readonly (readonly string[])[]): readonly string[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]))
}

function right(title: string): Column {
  return { title, align: 'right' }
}
