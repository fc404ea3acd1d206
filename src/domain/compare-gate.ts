import { isComparable } from './comparable.ts'
import type { Pair } from './compare-cells.ts'
import { type Difference, falseAlarmShare } from './compare-figure.ts'
import type { Tally } from './compare-tally.ts'
import type { FigureName } from './compared-cell.ts'

/** A change that must not be reached: -0.03 of tok/s is a fall by 3 %, +0.1 of TTFT a rise by 10 %. */
export type Gate = { readonly figure: FigureName; readonly limit: number }

/** What came of a gate. */
export type GateVerdict = {
  readonly gate: Gate
  readonly passed: boolean
  /** The mean over all pairs is beyond the limit, and not by noise. */
  readonly meanFails: boolean
  readonly failing: readonly Pair[]
  /** Pairs with an interval, and those without: these cannot fail a gate. */
  readonly judged: number
  readonly unjudged: number
}

/**
 * A gate fails when a pair, or the geometric mean of all, is beyond the limit and differs by more than noise makes. The
 * pairs and the mean are judged together (Holm, Scand. J. Statist. 6, 1979), so that two runs of equal truth fail a gate in
 * at most 5 % of cases, however many pairs there are. A gate that could judge no pair fails.
 */
export function judgeGate(gate: Gate, pairs: readonly Pair[], tallies: readonly Tally[]): GateVerdict {
  const { figure, limit } = gate
  const all = pairs.flatMap(pair => {
    const difference = pair.differences[figure]
    return difference === undefined ? [] : [{ pair, difference }]
  })
  const judged = all.filter(({ difference }) => difference.p !== null)
  const mean = tallies.find(tally => tally.figure === figure)?.mean ?? null
  const proven = holm([...judged.map(({ difference }) => difference.p ?? 1), mean?.p ?? 1])
  const fails = ({ change }: Pick<Difference, 'change'>, index: number) =>
    proven[index] === true && (limit < 0 ? change <= limit : change >= limit)
  const failing = judged.filter(({ difference }, index) => fails(difference, index)).map(({ pair }) => pair)
  const meanFails = mean !== null && fails(mean, judged.length)
  return {
    gate,
    passed: judged.length > 0 && failing.length === 0 && !meanFails,
    meanFails,
    failing,
    judged: judged.length,
    unjudged: all.length - judged.length,
  }
}

/** Pairs that A had measured and B has not: a gate must not pass on silence. */
export function lostPairs(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.filter(({ a, b }) => isComparable(a) && !isComparable(b))
}

/** Which of the p-values stand when all are judged together: the smallest ones, up to the first above its share. */
function holm(values: readonly number[]): readonly boolean[] {
  const ranked = values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const first = ranked.findIndex(({ p }, rank) => p > falseAlarmShare / (values.length - rank))
  const standing = new Set((first < 0 ? ranked : ranked.slice(0, first)).map(({ index }) => index))
  return values.map((_, index) => standing.has(index))
}
