import type { Limit } from '../domain/capacity.ts'
import type { CellState, PrefillState, RunState } from '../domain/run-state.ts'
import { count, milliseconds, perSecond, unknown } from '../format/units.ts'
import { describeLimit, limitWords } from '../report/limit-text.ts'
import { describeReason } from '../report/reason-text.ts'
import { figures } from './figures.ts'
import type { Area } from './layout.ts'
import { marks, signs } from './marks.ts'
import { liveFigures } from './select-grid.ts'
import { type NowView, selectNow, targetName } from './select-now.ts'
import { cellAt, type Place } from './selection.ts'
import { fitHeight, type Line, lineWidth, span } from './span.ts'

/** The selected place: its figures as far as whole ones fit, and in one sentence how it stands. One or two lines. */
export function selectedLines(
  state: RunState,
  place: Place | null,
  now: number,
  { width, height }: Area,
): readonly Line[] {
  if (place === null || height === 0) return fitHeight([], height)
  const cell = cellAt(state, place)
  const row = place.kind === 'prefill' ? (state.prefill[place.row] ?? null) : null
  const name: Line = [span(targetName(state, { target: place }), 'title')]
  const facts = cell !== null ? cellFacts(cell, state) : row === null ? [] : prefillFacts(row)
  const verdict = cell ?? row
  if (verdict === null) return fitHeight([name], height)
  if (height === 1) {
    const short = withFacts(name, facts.slice(0, 2), width)
    // What is being done with the running one stands in the panel beneath.
    const rest = verdict.status === 'running' ? null : why(verdict, state, now)
    return [[...short, span('  '), ...sentence(verdict, rest)]]
  }
  return fitHeight([withFacts(name, facts, width), sentence(verdict, why(verdict, state, now))], height)
}

type Fact = { readonly label: string; readonly text: string }

function withFacts(name: Line, facts: readonly Fact[], width: number): Line {
  let line = name
  for (const { label, text } of facts) {
    const next: Line = [...line, span('  '), span(`${label} `, 'dim'), span(text)]
    if (lineWidth(next) > width) break
    line = next
  }
  return line
}

function cellFacts({ status, summary, plan }: CellState, { job, samples }: RunState): readonly Fact[] {
  if (status === 'over-capacity') return plan.fit.kind === 'over' ? plan.fit.limits.map(needFact) : []
  const live = status === 'running' && job !== null ? liveFigures(job, samples.at(-1) ?? null) : null
  if (live === null && summary === null) return []
  const facts = figures.map(figure => {
    const value = live !== null ? figure.live(live) : summary === null ? null : figure.of(summary)
    return { label: figure.short, text: value === null ? unknown : figure.text(value, 'full') }
  })
  // What only a whole window tells is not unknown before its end.
  return live === null ? facts : facts.filter(({ text }) => text !== unknown)
}

function needFact({ kind, needed, available }: Limit): Fact {
  return { label: `${limitWords[kind].long} needed`, text: `${count(needed)} of ${count(available)}` }
}

function prefillFacts({ summary }: PrefillState): readonly Fact[] {
  if (summary === null) return []
  return [
    { label: 'tok/s', text: perSecond(summary.tokensPerSecond) },
    { label: 'TTFT', text: milliseconds(summary.ttftMs) },
  ]
}

/** Status and what else there is to say. */
function sentence(place: CellState | PrefillState, rest: string | null): Line {
  const { symbol, meaning, style } = marks[place.status]
  const told = 'redoAsked' in place && place.redoAsked ? [span(`${signs.redo.symbol} `, 'live')] : []
  const lead: Line = [...told, span(`${symbol} ${meaning}`.trim(), place.status === 'valid' ? 'good' : style)]
  return rest === null ? lead : [...lead, span(`: ${rest}`)]
}

function doing({ doing: work, window }: NowView): string {
  return window === null ? work : `${work}, ${window.passed} of ${window.total} s`
}

/** The first of its reasons, or what the run does with it now. */
function why(
  { status, plan, reasons }: CellState | PrefillState,
  state: RunState,
  now: number,
): string | null {
  switch (status) {
    case 'running':
      return doing(selectNow(state, now))
    case 'over-capacity':
      return plan.fit.kind === 'over' ? describeLimit(plan.fit.limits[0]) : null
    case 'planned':
      return plan.fit.kind === 'tight' ? `tight, ${describeLimit(plan.fit.limit)}` : null
    case 'skipped':
    case 'not-run':
    case 'valid':
    case 'requests-queued':
    case 'invalid':
    case 'failed': {
      const [first, ...more] = reasons
      if (first === undefined) return null
      return `${describeReason(first)}${more.length === 0 ? '' : ` (+${more.length}, Enter tells)`}`
    }
    default:
      return status satisfies never
  }
}
