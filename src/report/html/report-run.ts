import type { Slo } from '../../domain/run-options.ts'
import { contextName } from '../../format/units.ts'
import type { ResultCell, ResultPrefill } from '../../result/schema.ts'

/** One run as the page shows it: its figures as they stand in the result, its texts cleaned. */
export type ReportRun = {
  /** Short and different from the other runs' names. */
  readonly name: string
  /** Engine, hardware and time in one line. */
  readonly about: string
  readonly cells: readonly ReportCell[]
  /** The limits that its operator asked of requests. */
  readonly slo: Slo | null
  readonly prefill: readonly ResultPrefill[]
}

export type ReportCell = ResultCell & {
  /** What a reader has to know of it. */
  readonly notes: readonly string[]
}

/** What stands in the page for its script. */
export type PageData = {
  readonly runs: readonly ReportRun[]
  /** 95% half-width of the noise between runs of equal truth, as a share. */
  readonly runNoise: number
  /** `null`: nobody asked beside the runs themselves. */
  readonly slo: Slo | null
  /** Which of `viewsOf` the matrix shows at first. */
  readonly firstView: number
}

/** What the matrix shows: one run, or how one differs from another. */
export type View =
  | { readonly kind: 'run'; readonly run: ReportRun }
  | { readonly kind: 'difference'; readonly from: ReportRun; readonly to: ReportRun }

/** All that the matrix can show: each run, then each later one against the first. */
export function viewsOf(runs: readonly ReportRun[]): readonly View[] {
  const [from, ...others] = runs
  return [
    ...runs.map(run => ({ kind: 'run', run }) as const),
    ...(from === undefined ? [] : others.map(to => ({ kind: 'difference', from, to }) as const)),
  ]
}

type Place = { readonly contextTokens: number; readonly concurrency: number }

/** 8K × 32 */
export function cellName({ contextTokens, concurrency }: Place): string {
  return `${contextName(contextTokens)} × ${concurrency}`
}

/** The same for the same cell of every run. */
export function cellKey({ contextTokens, concurrency }: Place): string {
  return `${contextTokens}x${concurrency}`
}
