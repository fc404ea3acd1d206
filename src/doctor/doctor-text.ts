import type { ServerFacts } from '../domain/server-facts.ts'
import { cleanText } from '../format/clean-text.ts'
import { table } from '../format/table.ts'
import { amount, milliseconds } from '../format/units.ts'
import { type Finding, isTrustworthy } from './finding.ts'
import type { StreamEvent } from './stream-event.ts'

/** All that a doctor found. */
export type DoctorReport = {
  readonly server: ServerFacts
  readonly findings: readonly Finding[]
  readonly events: readonly StreamEvent[]
}

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', unknown: '–   ' } as const
const textColumns = 40
/** Events shown at the beginning and at the end of a long stream. */
const shown = { first: 8, last: 5 }

/** The report as plain lines: checks with what to do, one request chunk by chunk, the verdict. */
export function doctorText({ server, findings, events }: DoctorReport): string {
  const { url, model, engine } = server
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = [
    cleanText(`${url}: ${model.id} on ${engine.name} ${engine.version ?? '(version unknown)'}`),
    '',
    ...findings.flatMap(({ check, status, saw, fix }) => [
      `${marks[status]} ${check.padEnd(width)}  ${cleanText(saw)}`,
      ...(fix === null ? [] : [`${''.padEnd(width + 7)}→ ${cleanText(fix)}`]),
    ]),
    ...(events.length === 0 ? [] : ['', 'One request, event by event:', ...eventLines(events)]),
    '',
    verdict(findings),
  ]
  return `${lines.join('\n')}\n`
}

function eventLines(events: readonly StreamEvent[]): readonly string[] {
  const columns = [
    { title: '#', align: 'right' },
    { title: 'after', align: 'right' },
    { title: 'carries', align: 'left' },
  ] as const
  const rows = events.map((event, index) => [
    String(index + 1),
    milliseconds(event.afterMs),
    cleanText(carries(event).join(', ')) || 'nothing',
  ])
  const hidden = rows.length - shown.first - shown.last
  return table(
    columns,
    hidden <= 0
      ? rows
      : [...rows.slice(0, shown.first), ['…', '', `${hidden} more`], ...rows.slice(-shown.last)],
  )
}

function carries(event: StreamEvent): readonly string[] {
  if (event.kind === 'done') return ['the end']
  if (event.kind === 'not-json') return ['something that is not JSON']
  const usage = [
    event.completionTokens === null ? [] : `${event.completionTokens} output`,
    event.promptTokens === null ? [] : `${event.promptTokens} prompt`,
    event.cachedTokens === null ? [] : `${event.cachedTokens} cached`,
  ].flat()
  return [
    event.role === null ? [] : `role ${event.role}`,
    event.output === null ? [] : `text ${JSON.stringify(shortened(event.output))}`,
    usage.length === 0 ? [] : `usage ${usage.join(' / ')}`,
    event.finishReason === null ? [] : `finish ${event.finishReason}`,
    event.error === null ? [] : `error ${event.error}`,
  ].flat()
}

function shortened(text: string): string {
  return text.length > textColumns ? `${text.slice(0, textColumns)}…` : text
}

function verdict(findings: readonly Finding[]): string {
  const of = (status: Finding['status']) => findings.filter(one => one.status === status).length
  const warnings = of('warn') === 0 ? '' : `, with ${amount(of('warn'), 'warning')}`
  return isTrustworthy(findings)
    ? `A run would be trustworthy${warnings}.`
    : `A run would not be trustworthy: ${amount(of('fail'), 'check')} failed${warnings}.`
}
