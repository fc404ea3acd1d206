import { medianEstimate, prefillEstimate, stepsEstimate, throughputEstimate } from './compare-estimates.ts'
import type { Estimate } from './compare-figure.ts'
import type { Intervals } from './interval.ts'
import type { TtftBySource } from './slo.ts'
import type { Distribution } from './statistics.ts'
import type { CellStatus } from './verdict.ts'

/** The figures that are compared; `prefill` is prompt tok/s of the prefill rows, TTFT and ITL are medians. */
export const comparedFigures = [
  { figure: 'tok/s', better: 'high' },
  { figure: 'steps/s', better: 'high' },
  { figure: 'ttft', better: 'low' },
  { figure: 'itl', better: 'low' },
  { figure: 'prefill', better: 'high' },
] as const

/** As `--gate` takes it. */
export type FigureName = (typeof comparedFigures)[number]['figure']

/** A reason of a cell as it stands in a result. */
export type FoundReason = { readonly kind: string; readonly [field: string]: unknown }

/** What comparing needs of a cell of a result, in its names and units. */
export type ComparedCell = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly status: CellStatus
  readonly reasons: readonly FoundReason[]
  readonly windowSeconds: number | null
  readonly totalTokensPerSecond: (Intervals & { readonly mean: number }) | null
  readonly stepsPerSecond: number | null
  readonly interChunkMs: Distribution | null
  readonly ttftMs: TtftBySource | null
  readonly itlMs: Distribution | null
}

/** The same of a prefill row. */
export type ComparedPrefill = {
  readonly contextTokens: number
  readonly status: CellStatus
  readonly reasons: readonly FoundReason[]
  readonly tokensPerSecond: number | null
  readonly samples: readonly { readonly promptTokens: number | null; readonly ttftMs: number }[]
}

/** What one side of a comparison tells of each figure; `null` or absent: nothing. */
export type Estimates = Readonly<Partial<Record<FigureName, Estimate | null>>>

/** What `cell` tells of itself beside `other`; without an error where the two were not measured alike. */
export function cellEstimates(cell: ComparedCell, other: ComparedCell): Estimates {
  const { totalTokensPerSecond, stepsPerSecond, windowSeconds, interChunkMs, ttftMs, itlMs } = cell
  // Estimated tokens may be off by percents in one direction: against a count they prove nothing.
  const isCountedAlike = has(cell, 'tokens-estimated') === has(other, 'tokens-estimated')
  // A window whose steps changed their pace has no one step time.
  const isSteady = !has(cell, 'unsteady') && !has(other, 'unsteady')
  // Kinds of TTFT do not mix: where the headlines differ, the launch is compared.
  const source = ttftMs?.source === other.ttftMs?.source ? (ttftMs?.source ?? 'launch') : 'launch'
  return {
    'tok/s': errorOnlyIf(isCountedAlike, throughputEstimate(totalTokensPerSecond)),
    'steps/s': errorOnlyIf(isSteady, stepsEstimate(stepsPerSecond, windowSeconds, interChunkMs)),
    // The launch is one burst, whose requests share what happened to it: its spread tells no error.
    ttft: errorOnlyIf(source === 'steady', medianEstimate(ttftMs?.[source] ?? null)),
    itl: medianEstimate(itlMs),
  }
}

/** What a prefill row tells. */
export function rowEstimates({ tokensPerSecond, samples }: ComparedPrefill): Estimates {
  return { prefill: prefillEstimate(tokensPerSecond, samples) }
}

function errorOnlyIf(isTold: boolean, estimate: Estimate | null): Estimate | null {
  return isTold || estimate === null ? estimate : { ...estimate, error: null }
}

function has({ reasons }: ComparedCell, kind: string): boolean {
  return reasons.some(reason => reason.kind === kind)
}
