import type { Slo } from './run-options.ts'
import type { CellState, Progress } from './run-state.ts'
import { type Distribution, max, min } from './statistics.ts'

/** TTFT of a cell as the result has it; `all`: of runs of others that do not tell steady from launch. */
export type TtftBySource = {
  readonly source: 'steady' | 'launch' | 'all'
  readonly steady: Distribution
  readonly launch: Distribution
  readonly all?: Distribution | undefined
}

/** What decides whether a cell holds an SLO: a cell of the result as it is, or `sloCell` of one of the run. */
export type SloCell = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly status: Progress
  readonly ttftMs: TtftBySource | null
  readonly itlMs: Distribution | null
}

/** The largest concurrency of one context that holds the SLO. */
export type SloRow = {
  readonly contextTokens: number
  /** Up to here every judged concurrency holds it; 0: not even the smallest does; `null`: none could be judged. */
  readonly concurrency: number | null
  /** The first that does not hold it; `null`: all that were measured hold, more may. */
  readonly brokenAt: number | null
}

/** At least so many streams with the SLO held; context `null`: in every context. */
export type Requirement = { readonly contextTokens: number | null; readonly concurrency: number }

/**
 * Whether nine of ten requests are within each asked limit: p90 from 20 requests on, with fewer all of them. TTFT is the
 * headline's kind. A cell whose requests queued does not serve its streams at once and holds nothing,
 * nor does one that does not fit. `null`: not measured, invalid, or nothing to judge by.
 */
export function holdsSlo({ status, ttftMs, itlMs }: SloCell, slo: Slo): boolean | null {
  if (status === 'requests-queued' || status === 'over-capacity') return false
  if (status !== 'valid') return null
  const ttft = ttftMs === null ? null : (ttftMs[ttftMs.source] ?? null)
  const held = [isWithin(ttft, slo.ttftMs), isWithin(itlMs, slo.itlMs)]
  if (held.includes(false)) return false
  return held.includes(null) ? null : true
}

function isWithin(values: Distribution | null, limitMs: number | null): boolean | null {
  if (limitMs === null) return true
  const upper = values?.p90 ?? values?.max ?? null
  return upper === null ? null : upper <= limitMs
}

/** One row for each context, ascending. */
export function sloRows(cells: readonly SloCell[], slo: Slo): readonly SloRow[] {
  const contexts = [...new Set(cells.map(cell => cell.contextTokens))].sort((a, b) => a - b)
  return contexts.map(contextTokens => {
    const judged = cells
      .filter(cell => cell.contextTokens === contextTokens)
      .map(cell => ({ concurrency: cell.concurrency, holds: holdsSlo(cell, slo) }))
    const concurrencies = (wanted: boolean) =>
      judged.filter(({ holds }) => holds === wanted).map(({ concurrency }) => concurrency)
    const brokenAt = min(concurrencies(false))
    const held = max(concurrencies(true).filter(one => brokenAt === null || one < brokenAt))
    return { contextTokens, concurrency: held ?? (brokenAt === null ? null : 0), brokenAt }
  })
}

/** The requirements that are not met; one whose context was not measured, or could not be judged, is not. */
export function unmetRequirements(
  rows: readonly SloRow[],
  requirements: readonly Requirement[],
): readonly Requirement[] {
  return requirements.filter(({ contextTokens, concurrency }) => {
    const asked = rows.filter(row => contextTokens === null || row.contextTokens === contextTokens)
    return asked.length === 0 || asked.some(row => (row.concurrency ?? 0) < concurrency)
  })
}

/** A cell of a run as `holdsSlo` takes it. */
export function sloCell({ plan, status, summary }: CellState): SloCell {
  return {
    contextTokens: plan.contextTokens,
    concurrency: plan.concurrency,
    status,
    ttftMs: summary?.ttftMs ?? null,
    itlMs: summary?.itlMs ?? null,
  }
}
