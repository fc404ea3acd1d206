import { cleanText } from '../format/clean-text.ts'
import { gauge } from '../format/gauge.ts'
import { count, percent, perSecond, tokens, unknown } from '../format/units.ts'
import type { Area } from './layout.ts'
import type { ServerView } from './select-server.ts'
import { labelWidth, type SeriesRow, seriesIndent, seriesLines } from './series-rows.ts'
import { fitHeight, heading, type Line, type Style, span, spread } from './span.ts'

/** How many seconds of history a panel of this width can show. */
export function historySeconds({ width }: Area): number {
  return Math.max(0, width - seriesIndent)
}

/** How full the server is, by its own metrics. */
export function serverLines(view: ServerView, { width, height }: Area): readonly Line[] {
  if (view.kind !== 'sampled') {
    const text = view.kind === 'no-metrics' ? 'no metrics: the server tells no load' : 'no sample yet'
    const lines: readonly Line[] = [heading('Server', '', [], width), [span(text, 'dim')]]
    return height < 4 ? [[span('Server ', 'title'), span(text, 'dim')]] : fitHeight(lines, height)
  }
  const { staleSeconds } = view
  const badge: Line = staleSeconds === null ? [] : [span(`STALE ${staleSeconds.toFixed(0)} s`, 'bad')]
  if (height < 4)
    return fitHeight([spread([span('Server ', 'title'), span(brief(view))], badge, width)], height)
  const title = heading('Server', '', badge, width)
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
  return fitHeight([title, kvLine(view, width), ...series, [span(more(view), 'dim')]], height)
}

const fullScale = { from: 0, to: 1 }

type Sampled = Extract<ServerView, { kind: 'sampled' }>

function kvLine({ kvUsage, kvUsedTokens, kvCapacityTokens }: Sampled, width: number): Line {
  const amount = `${tokens(kvUsedTokens)} of ${tokens(kvCapacityTokens)}`
  const share = percent(kvUsage.value)
  const { full, rest } = gauge(kvUsage.value, width - labelWidth - share.length - amount.length - 2)
  return [
    span('KV cache'.padEnd(labelWidth), 'dim'),
    span(full, kvStyle(kvUsage.value)),
    span(rest, 'dim'),
    span(` ${share}`, 'strong'),
    span(` ${amount}`, 'dim'),
  ]
}

function kvStyle(usage: number | null): Style {
  if (usage === null || usage < 0.8) return 'good'
  return usage < 0.95 ? 'warn' : 'bad'
}

function more({ acceptLength, retractions, stateSlotUsage, missed }: Sampled): string {
  if (missed !== null) return `no answer from ${cleanText(missed)}`
  const accepted = acceptLength === null ? unknown : acceptLength.toFixed(2)
  return `accepted ${accepted}  retracted ${count(retractions)}  slots ${percent(stateSlotUsage)}`
}

function brief({ kvUsage, running, queued, tokensPerSecond }: Sampled): string {
  return [
    `KV ${percent(kvUsage.value)}`,
    `running ${count(running.value)}`,
    `queued ${count(queued.value)}`,
    `${perSecond(tokensPerSecond.value)} tok/s`,
  ].join('  ')
}
