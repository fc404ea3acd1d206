import type { Pair } from './compare-cells.ts'
import { type Difference, falseAlarmShare, meanChange } from './compare-figure.ts'
import { comparedFigures, type FigureName } from './compared-cell.ts'

/** How the pairs of two runs differ in one figure on the whole. */
export type Tally = {
  readonly figure: FigureName
  readonly better: number
  readonly worse: number
  readonly same: number
  readonly unknown: number
  /** How many of the judged pairs noise alone would call better or worse. */
  readonly expectedFalseAlarms: number
  /** Geometric mean over the pairs that are `valid` on both sides and can be judged, or over all when none can; `n` of them. */
  readonly mean: ReturnType<typeof meanChange>
  readonly n: number
}

/** One tally for each figure that any pair has. */
export function tallyPairs(pairs: readonly Pair[], runNoise: number): readonly Tally[] {
  return comparedFigures.flatMap(({ figure, better }) => {
    const all = pairs.flatMap(({ differences }) => differences[figure] ?? [])
    if (all.length === 0) return []
    const count = (verdict: Difference['verdict']) => all.filter(one => one.verdict === verdict).length
    const valid = pairs.filter(pair => pair.a.status === 'valid' && pair.b.status === 'valid')
    const found = valid.flatMap(({ differences }) => differences[figure] ?? [])
    const judged = found.filter(one => one.p !== null)
    const averaged = judged.length > 0 ? judged : found
    return {
      figure,
      better: count('better'),
      worse: count('worse'),
      same: count('same'),
      unknown: count('unknown'),
      expectedFalseAlarms: falseAlarmShare * (all.length - count('unknown')),
      mean: meanChange(averaged, better, runNoise),
      n: averaged.length,
    }
  })
}
