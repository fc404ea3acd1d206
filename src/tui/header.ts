import type { RunState } from '../domain/run-state.ts'
import { cleanText } from '../format/clean-text.ts'
import { type Line, span, spread } from './span.ts'

/** One line: what is measured, and where. */
export function headerLine({ server }: RunState, width: number): Line {
  const name = span('tokgrid', 'title')
  if (server === null) return spread([name], [], width)
  const engine = [server.engine.name, server.engine.version ?? ''].map(cleanText).join(' ').trim()
  return spread(
    [name, span('  '), span(cleanText(server.model.id), 'strong')],
    [span(engine), span(' · ', 'dim'), span(cleanText(hostOf(server.url)), 'dim')],
    width,
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
