import type { Limit } from '../domain/capacity.ts'
import type { Progress } from '../domain/run-state.ts'
import type { Reason } from '../domain/verdict.ts'
import { count } from '../format/units.ts'
import { wrap } from '../format/wrap.ts'
import { describeLimit } from '../report/limit-text.ts'
import { describeReason } from '../report/reason-text.ts'
import { marks } from './marks.ts'
import type { NowView } from './select-now.ts'
import { type Line, type Style, span } from './span.ts'

type Judged = {
  readonly status: Progress
  readonly limits: readonly Limit[]
  readonly reasons: readonly Reason[]
  readonly live: NowView | null
  readonly isPartial?: boolean
}

/** The status, the mark as in the grid. */
export function verdictMark({ status }: Judged): Line {
  const { symbol, style, meaning } = marks[status]
  return [span(`${symbol} ${meaning}`.trim(), status === 'valid' ? 'good' : style)]
}

/** Statuses that have no reasons of their own. */
const plainWords: Partial<Record<Progress, string>> = {
  planned: 'not measured yet',
  skipped: 'you skipped it',
  'not-run': 'the run ended before it was done',
}

/** What the run does with it, why it has its status, and what else to know; each in a sentence. */
export function verdictLines(
  { status, limits, reasons, live, isPartial }: Judged,
  width: number,
): readonly Line[] {
  const { symbol, style } = marks[status]
  const words = plainWords[status]
  return [
    ...(words === undefined ? [] : paragraph(symbol, words, style, width)),
    ...(live === null ? [] : paragraph('►', doing(live), 'live', width)),
    ...(isPartial === true
      ? paragraph(
          '–',
          'cut short: these figures are of a part of the window and are never compared',
          'warn',
          width,
        )
      : []),
    ...limits.flatMap(limit => paragraph('×', misfit(limit), 'plain', width)),
    ...reasons.flatMap(reason =>
      paragraph(
        symbol === ' ' ? '·' : symbol,
        describeReason(reason),
        status === 'valid' ? 'warn' : style,
        width,
      ),
    ),
  ]
}

function doing({ doing, window, load, wanted }: NowView): string {
  const progress = window === null ? '' : ` ${window.passed} of ${window.total} s`
  const streams =
    load === null
      ? ''
      : `, ${count(load.active)} of ${count(wanted)} streams active, ${count(load.waiting)} waiting`
  return `${doing}${progress}${streams}`
}

function misfit(limit: Limit): string {
  return `${describeLimit(limit)}; needed ${count(limit.needed)}`
}

function paragraph(symbol: string, text: string, style: Style, width: number): readonly Line[] {
  return wrap(text, width - 2).map(
    (part, line): Line => [span(`${line === 0 ? symbol : ' '} `, style), span(part)],
  )
}
