import { cleanText } from '../format/clean-text.ts'
import { gauge } from '../format/gauge.ts'
import { cut, textWidth } from '../format/text-width.ts'
import { count, decimal, percent, perSecond, tokens } from '../format/units.ts'
import type { Area } from './layout.ts'
import type { ServerView } from './select-server.ts'
import { fullScale, labelWidth, type SeriesRow, seriesIndent, seriesLines } from './series-rows.ts'
import { fitHeight, heading, type Line, lineWidth, type Style, span, spread } from './span.ts'

/** How many seconds of history a panel of this width can show. */
export function historySeconds({ width }: Area): number {
  return Math.max(0, width - seriesIndent)
}

/** What stands in the heading: a name, what it is about where there is room, and a restart if nothing else tells of it. */
export type ServerTitle = { readonly name: string; readonly about: string; readonly tellsRestart: boolean }

/** Blanks and rule around what a title tells, and the least of it that says something. */
const titleRule = 5
const leastAbout = 8

export const plainTitle: ServerTitle = { name: 'Server', about: '', tellsRestart: false }

/** How full the server is, by its own metrics. */
export function serverLines(view: ServerView, { width, height }: Area, title = plainTitle): readonly Line[] {
  const name = span(`${title.name} `, 'title')
  if (view.kind !== 'sampled') {
    const text = view.kind === 'no-metrics' ? 'no metrics: the server tells no load' : 'no sample yet'
    const short: Line = [name, span(text, 'dim')]
    const full = [serverTitle(title, [], width), [span(text, 'dim')]]
    return fitHeight(height < 4 ? [short] : full, height)
  }
  if (height < 4) return fitHeight([spread([name, span(brief(view))], badges(view, title), width)], height)
  const head = [serverHeading(view, width, title), kvLine(view, width)]
  if (height < 6) return fitHeight([...head, [span(requests(view))], factsLine(view, width)], height)
  const { running, queued, tokensPerSecond, kvUsage } = view
  const rows: readonly SeriesRow[] = [
    { label: 'running', value: count(running.value), values: running.history, style: 'good' },
    { label: 'queued', value: count(queued.value), values: queued.history, style: 'warn' },
    {
      label: 'tok/s',
      value: perSecond(tokensPerSecond.value),
      values: tokensPerSecond.history,
      style: 'good',
    },
    {
      label: 'KV',
      value: percent(kvUsage.value),
      values: kvUsage.history,
      style: kvStyle(kvUsage.value),
      scale: fullScale,
    },
  ]
  // The history of the KV cache gives way first: the gauge tells how full it is.
  const series = seriesLines(rows, width, height - 3)
  return fitHeight([...head, ...series, factsLine(view, width)], height)
}

export type SampledServer = Extract<ServerView, { kind: 'sampled' }>

/** The panel's first line, with what makes its figures doubtful. */
export function serverHeading(view: SampledServer, width: number, title: ServerTitle): Line {
  return serverTitle(title, badges(view, title), width)
}

/** What a server is about is cut where it has no room: the names of models are long. */
export function serverTitle({ name, about }: ServerTitle, end: Line, width: number): Line {
  const room = width - textWidth(name) - lineWidth(end) - titleRule
  return heading(name, room < leastAbout ? '' : cut(about, room), end, width)
}

function badges({ staleSeconds, restartedSeconds }: SampledServer, { tellsRestart }: ServerTitle): Line {
  const texts = [
    ...(restartedSeconds === null || !tellsRestart ? [] : [`RESTARTED ${restartedSeconds.toFixed(0)} s ago`]),
    ...(staleSeconds === null ? [] : [`STALE ${staleSeconds.toFixed(0)} s`]),
  ]
  return texts.length === 0 ? [] : [span(texts.join('  '), 'bad')]
}

/** How full the KV cache is, as a bar and in tokens. */
export function kvLine({ kvUsage, kvUsedTokens, kvCapacityTokens }: SampledServer, width: number): Line {
  const isKnown = kvUsedTokens !== null || kvCapacityTokens !== null
  const amount = isKnown ? ` ${kvAmount(kvUsedTokens, kvCapacityTokens)}` : ''
  const share = percent(kvUsage.value).padStart(percent(1).length)
  const { full, rest } = gauge(kvUsage.value, width - labelWidth - share.length - amount.length - 1)
  return [
    span('KV cache'.padEnd(labelWidth), 'dim'),
    span(full, kvStyle(kvUsage.value)),
    span(rest, 'dim'),
    span(` ${share}`, 'strong'),
    span(amount, 'dim'),
  ]
}

/** `  8K of 976K`: what is used does not move what stands around it when it grows. */
export function kvAmount(used: number | null, capacity: number | null): string {
  const all = tokens(capacity)
  return `${tokens(used).padStart(all.length)} of ${all}`
}

export function kvStyle(usage: number | null): Style {
  if (usage === null || usage < 0.8) return 'good'
  return usage < 0.95 ? 'warn' : 'bad'
}

/** What is told beside the histories, as far as there is room. */
export function factsLine(view: SampledServer, width: number): Line {
  if (view.missed !== null) return [span(`no answer from ${cleanText(view.missed)}`, 'warn')]
  const { acceptLength, retractions, stateSlotUsage, cacheHitShare } = view
  const facts = [
    `accepted ${decimal(acceptLength, 2)}`,
    `retracted ${count(retractions)}`,
    // Most models have no such pool.
    ...(stateSlotUsage === null ? [] : [`slots ${percent(stateSlotUsage)}`]),
    `cached prompt ${percent(cacheHitShare)}`,
  ]
  let text = ''
  for (const fact of facts) {
    const next = text === '' ? fact : `${text}  ${fact}`
    if (textWidth(next) > width) break
    text = next
  }
  return [span(text, 'dim')]
}

function brief(view: SampledServer): string {
  return `KV ${percent(view.kvUsage.value)}  ${requests(view)}`
}

function requests({ running, queued, tokensPerSecond }: SampledServer): string {
  return `running ${count(running.value)}  queued ${count(queued.value)}  ${perSecond(tokensPerSecond.value)} tok/s`
}
