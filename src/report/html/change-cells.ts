import { isComparable } from '../../domain/comparable.ts'
import { pairCells } from '../../domain/compare-cells.ts'
import type { Difference } from '../../domain/compare-figure.ts'
import type { FigureName } from '../../domain/compared-cell.ts'
import { unknown } from '../../format/units.ts'
import { changeText, verdictMarks } from '../change-text.ts'
import { statusTexts } from '../status-text.ts'
import type { Figure } from './figures.ts'
import { type Element, element, spoken } from './markup.ts'
import { cellKey, type ReportCell, type ReportRun, type View } from './report-run.ts'

/** A change below the first of them looks the same as none. */
const changeSteps = [0, 0.05, 0.15] as const

/** Draws how the cells of two runs differ, by their keys. */
export function changeCells(
  { from, to }: Extract<View, { kind: 'difference' }>,
  figure: Figure,
  runNoise: number,
): (key: string) => Element {
  const cellOf = (run: ReportRun) => new Map(run.cells.map(cell => [cellKey(cell), cell]))
  const [before, after] = [cellOf(from), cellOf(to)]
  const judged = judgements(from, to, runNoise, figure.compared)
  return key => {
    const pair = [before.get(key), after.get(key)] as const
    const [a, b] = pair.map(cell => (cell === undefined || !isComparable(cell) ? null : figure.of(cell)))
    if (a == null || b == null || a === 0) return uncompared(key, pair, figure)
    const change = b / a - 1
    const verdict = judged.get(key) ?? null
    return element(
      'td',
      { class: changeClass(change, figure, verdict), 'data-cell': key },
      element(
        'span',
        { class: 'value' },
        changeText(change),
        verdict === null
          ? null
          : [
              element('span', { class: 'mark', 'aria-hidden': 'true' }, verdictMarks[verdict]),
              spoken(` ${verdict}`),
            ],
      ),
      element('span', { class: 'beneath' }, `${figure.text(a)} → ${figure.text(b)}`),
    )
  }
}

/** What noise allows to be said of each cell; empty for figures that nobody judges. */
function judgements(
  from: ReportRun,
  to: ReportRun,
  runNoise: number,
  figure: FigureName | null,
): ReadonlyMap<string, Difference['verdict']> {
  if (figure === null) return new Map()
  const pairs = pairCells(from.cells, to.cells, runNoise)
  return new Map(
    pairs.flatMap(({ contextTokens, concurrency, differences }) => {
      const verdict = differences[figure]?.verdict
      return verdict === undefined || concurrency === null
        ? []
        : [[cellKey({ contextTokens, concurrency }), verdict] as const]
    }),
  )
}

/** Coloured where it is more than noise, or where nobody judges. */
function changeClass(change: number, { better }: Figure, verdict: Difference['verdict'] | null): string {
  const strength = changeSteps.filter(step => Math.abs(change) > step).length
  if (strength === 0 || better === 'neither' || verdict === 'same' || verdict === 'unknown') return 'flat'
  return `${change > 0 === (better === 'high') ? 'gain' : 'loss'}-${strength}`
}

/** What keeps two cells from being compared. */
function uncompared(
  key: string,
  pair: readonly [ReportCell | undefined, ReportCell | undefined],
  figure: Figure,
): Element {
  const texts = pair.map(cell => {
    if (cell === undefined) return 'not there'
    return isComparable(cell) ? figure.text(figure.of(cell)) : statusTexts[cell.status].name
  })
  const told = texts[0] === texts[1] ? texts.slice(0, 1) : texts
  return element(
    'td',
    { class: 'empty', 'data-cell': key },
    element('span', { class: 'value' }, unknown),
    element('span', { class: 'beneath' }, told.join(' → ')),
  )
}
