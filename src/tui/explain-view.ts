import { explainCell } from '../domain/explain.ts'
import type { Finding } from '../domain/finding.ts'
import type { RunState } from '../domain/run-state.ts'
import { cleanText } from '../format/clean-text.ts'
import { contextName } from '../format/units.ts'
import { wrap } from '../format/wrap.ts'
import { describeFinding, flagText } from './explain-text.ts'
import type { LongText } from './scrolled.ts'
import { type Line, span } from './span.ts'

const indent = 3

/** What limits a cell and which launch flags govern it, the most weighty first. */
export function explainText(state: RunState, index: number, width: number): LongText {
  const plan = state.cells[index]?.plan
  const name = plan === undefined ? '' : ` ${contextName(plan.contextTokens)} × ${plan.concurrency}`
  const findings = explainCell(state, index)
  const nothing =
    plan === undefined ? 'only cells are explained: choose one' : 'nothing that limits this cell was seen'
  const told = findings.map((finding, place) => findingLines(finding, place + 1, width))
  return {
    title: `What limits${name}`,
    lines:
      told.length === 0
        ? [[span(nothing, 'dim')]]
        : told.flatMap((lines, place) => (place === 0 ? lines : [[], ...lines])),
    startsAt: 'start',
  }
}

function findingLines(finding: Finding, place: number, width: number): readonly Line[] {
  const { basis, flags } = finding
  const doubt = basis === 'inferred' ? ' (concluded, not measured)' : ''
  const flagWords = flags.map(flag => cleanText(flagText(flag))).join(', ')
  return [
    ...wrap(describeFinding(finding) + doubt, width - indent).map(
      (text, line): Line => [span((line === 0 ? `${place}.` : '').padEnd(indent), 'dim'), span(text)],
    ),
    ...(flagWords === ''
      ? []
      : wrap(`governed by ${flagWords}`, width - indent).map(
          (text): Line => [span(' '.repeat(indent)), span(text, 'series')],
        )),
  ]
}
