import { isPaused } from '../domain/next-step.ts'
import type { RunState } from '../domain/run-state.ts'
import { cleanText } from '../format/clean-text.ts'
import { clock } from '../format/units.ts'
import { type Line, lineWidth, span, spread } from './span.ts'

/** How long a restart of the server stands in the header. */
const restartShownMs = 60_000

/**
 * One line: what is measured, where, and what the operator must not overlook. `trouble` is what went wrong beside the
 * run, such as a full disk. What stands at the right gives way to it.
 */
export function headerLine(state: RunState, now: number, trouble: string | null, width: number): Line {
  const { server } = state
  const name = span('tokgrid', 'title')
  const warnings = badges(state, now, trouble).flatMap(text => [span('  '), span(` ${text} `, 'badge')])
  if (server === null) return spread([name, ...warnings], [], width)
  const engine = [server.engine.name, server.engine.version ?? ''].map(cleanText).join(' ').trim()
  const model: Line = [span('  '), span(cleanText(server.model.id), 'strong')]
  const full: Line = [name, ...model, ...warnings]
  const left: Line = lineWidth(full) <= width ? full : [name, ...warnings, ...model]
  const host: Line = [span(cleanText(hostOf(server.url)), 'dim')]
  const right: Line = [span('  '), span(engine), span(' · ', 'dim'), ...host]
  return spread(left, lineWidth([...left, ...right]) < width ? right : [span(' '), ...host], width)
}

function badges(state: RunState, now: number, trouble: string | null): readonly string[] {
  const { pauseAsked, stopAsked, ending, serverRestartedAt } = state
  return [
    ...(isPaused(state)
      ? ['PAUSED']
      : pauseAsked && !stopAsked && ending === null
        ? ['PAUSING AFTER THIS CELL']
        : []),
    ...(serverRestartedAt === null || now - serverRestartedAt > restartShownMs
      ? []
      : [`SERVER RESTARTED ${clock((now - serverRestartedAt) / 1000)} AGO`]),
    ...(trouble === null ? [] : [cleanText(trouble)]),
  ]
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
