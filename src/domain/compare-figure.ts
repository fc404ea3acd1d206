import { studentT } from './interval.ts'
import { mean, sum } from './statistics.ts'
import { twoSidedTail } from './student-tail.ts'

/** One figure as one run has it. */
export type Estimate = {
  /** Above zero. */
  readonly value: number
  /** Squared standard error relative to the value, and its degrees of freedom; `null`: the run cannot tell. */
  readonly error: { readonly variance: number; readonly degrees: number } | null
}

/** `same`: no difference that noise could not make. `unknown`: there is no interval to judge by. */
export type DifferenceVerdict = 'better' | 'worse' | 'same' | 'unknown'

/** How B differs from A in one figure; changes are shares of A: -0.05 is 5 % less. */
export type Difference = {
  readonly a: number
  readonly b: number
  /** b / a - 1. */
  readonly change: number
  /** 95 % interval of the change; `null` when it has no bounds. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** How often two runs of equal truth would differ by as much. */
  readonly p: number | null
  readonly verdict: DifferenceVerdict
  /** Squared standard error of ln(b / a) without the noise between runs. */
  readonly error: Estimate['error']
}

/** The share of equal pairs that are called different, and what the intervals leave out. */
export const falseAlarmShare = 0.05
const normal975 = 1.959964

/**
 * B against A. The logarithm of their ratio has the sum of both squared errors and, for each run, of the noise between
 * runs that no window can see (`runNoise`: 95 % half-width as a share, the same server and load started anew). Student's
 * t with Welch's degrees of freedom (Welch, Biometrika 34, 1947), rounded down.
 */
export function differenceOf(a: Estimate, b: Estimate, better: 'high' | 'low', runNoise: number): Difference {
  const { error, ...change } = { a: a.value, b: b.value, change: b.value / a.value - 1, error: sumOf(a, b) }
  if (error === null) return { ...change, interval: null, p: null, verdict: 'unknown', error }
  const judged = judge(Math.log(b.value / a.value), error, runNoise)
  return { ...change, ...judged, verdict: verdictOf(judged.p, change.change, better), error }
}

/**
 * Geometric mean of the ratios, judged like one difference: own errors average out, the noise between runs is common to
 * all and does not. `null` of nothing; unknown interval when no ratio has one.
 */
export function meanChange(
  differences: readonly Difference[],
  better: 'high' | 'low',
  runNoise: number,
): Omit<Difference, 'a' | 'b'> | null {
  const centre = mean(differences.map(({ change }) => Math.log1p(change)))
  if (centre === null) return null
  const change = Math.expm1(centre)
  const errors = differences.flatMap(({ error }) => (error === null ? [] : [error]))
  if (errors.length < differences.length)
    return { change, interval: null, p: null, verdict: 'unknown', error: null }
  const error = welch(errors, differences.length)
  const judged = judge(centre, error, runNoise)
  return { change, ...judged, verdict: verdictOf(judged.p, change, better), error }
}

function judge(log: number, error: NonNullable<Estimate['error']>, runNoise: number) {
  const variance = error.variance + 2 * (runNoise / normal975) ** 2
  // Welch's degrees once more: the noise between runs is known, so its own are without end.
  const degrees =
    error.variance === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor(error.degrees * (variance / error.variance) ** 2)
  const deviation = Math.sqrt(variance)
  const half = studentT(degrees) * deviation
  const p = log === 0 ? 1 : twoSidedTail(log / deviation, degrees)
  const [low, high] = [Math.expm1(log - half), Math.expm1(log + half)]
  return { interval: Number.isFinite(high) ? { low, high } : null, p }
}

function verdictOf(p: number, change: number, better: 'high' | 'low'): DifferenceVerdict {
  if (p > falseAlarmShare) return 'same'
  return change > 0 === (better === 'high') ? 'better' : 'worse'
}

function sumOf(a: Estimate, b: Estimate): Estimate['error'] {
  return a.error === null || b.error === null ? null : welch([a.error, b.error], 1)
}

/** Error of a sum of independent parts, divided by `of`. */
function welch(errors: readonly NonNullable<Estimate['error']>[], of: number) {
  const variance = sum(errors.map(error => error.variance))
  const spent = sum(errors.map(error => error.variance ** 2 / error.degrees))
  return {
    variance: variance / of ** 2,
    degrees: spent === 0 ? Number.POSITIVE_INFINITY : variance ** 2 / spent,
  }
}
