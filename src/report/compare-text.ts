import { isComparable } from '../domain/comparable.ts'
import type { Pair, Side } from '../domain/compare-cells.ts'
import type { Difference } from '../domain/compare-figure.ts'
import type { GateVerdict } from '../domain/compare-gate.ts'
import type { FigureName } from '../domain/compared-cell.ts'
import { amount, contextName } from '../format/units.ts'
import { nameAll } from './cell-notes.ts'
import { changeText } from './change-text.ts'
import { rate, time } from './measurements.ts'
import { reasonSentence } from './reason-text.ts'
import { statusTexts } from './status-text.ts'

/** What the marks mean, in one line. */
export const markLegend =
  '✓ better, ✗ worse, = no more than noise makes, ? no interval to judge by, – not compared'

/** The figures' names and units in tables. */
export const figureTexts: Readonly<
  Record<FigureName, { readonly title: string; readonly text: (value: number) => string }>
> = {
  'tok/s': { title: 'tok/s', text: rate },
  'steps/s': { title: 'steps/s', text: rate },
  ttft: { title: 'TTFT', text: time },
  itl: { title: 'ITL', text: time },
  prefill: { title: 'prefill tok/s', text: rate },
}

/** -7.9% to -3.6% */
export function intervalText(interval: Difference['interval']): string {
  return interval === null ? '–' : `${changeText(interval.low)} to ${changeText(interval.high)}`
}

/** 8K × 4, prefill 8K */
export function pairName({ contextTokens, concurrency }: Pair): string {
  return concurrency === null
    ? `prefill ${contextName(contextTokens)}`
    : `${contextName(contextTokens)} × ${concurrency}`
}

/** Why a pair is not compared: A is invalid (…); B does not have it. */
export function whyNotCompared({ a, b }: Pair, letter: string): string {
  return [['A', a] as const, [letter, b] as const]
    .filter(([, side]) => !isComparable(side))
    .map(([name, side]) => sideSentence(name, side))
    .join('; ')
}

function sideSentence(name: string, { status, reasons }: Side): string {
  if (status === 'missing') return `${name} does not have it`
  const why = reasons.map(reasonSentence).join('; ')
  return `${name}: ${statusTexts[status].name}${why === '' ? '' : ` (${why})`}`
}

/** What a gate asks and what came of it. */
export function gateSentence({ gate, passed, judged, unjudged, failing, meanFails }: GateVerdict): string {
  const direction = gate.limit < 0 ? 'fall' : 'rise'
  const limit = Number((Math.abs(gate.limit) * 100).toPrecision(9))
  const asked = `${figureTexts[gate.figure].title} may not ${direction} by ${limit}%`
  const left = unjudged === 0 ? '' : `, ${amount(unjudged, 'cell')} without an interval passed over`
  if (judged === 0) return `${asked}: nothing could be judged${left}`
  const where = [...(meanFails ? ['the mean'] : []), ...failing.map(pairName)]
  const found = passed ? '' : `: it does at ${nameAll(where)}`
  return `${asked}${found}; ${amount(judged, 'cell')} judged${left}`
}
