import type { Grid } from '../grid.ts'
import { effectiveMaxRunning, type Profile, type Speculative } from '../profile.ts'
import { fitDecode } from './fit-decode.ts'
import { fitHost, fitPrefill } from './fit-prefill.ts'
import { type CellFigures, measureCell, median } from './measure-profile.ts'
import type { MeasuredCell, MeasuredTable } from './measured-table.ts'

export type FitOptions = {
  /** Length of the virtual windows that the residual is found with. */
  readonly windowMs: number
  readonly rounds: number
  readonly seed: number
}

/** From so many streams on the lag of the typical stream is looked for. */
const largeBatch = 8
const largestLag = 0.25

/** A measured cell and what the profile gives for it. */
export type FittedCell = { readonly measured: MeasuredCell; readonly figures: CellFigures }

/**
 * Fits times and acceptance of `base` to a table; limits, page and chunk sizes stay those of `base`. First a smooth cost (host,
 * prefill, decode step), then the residual of acceptance for each cell, by measuring the profile in virtual time as a client would.
 */
export function fitProfile(table: MeasuredTable, base: Profile, options: FitOptions): Profile {
  const host = fitHost(table, base)
  const prefill = fitPrefill(table, { ...base, host })
  const { decode, acceptLength } = fitDecode(table, { ...base, host, prefill })
  let profile: Profile = { ...base, host, prefill, decode }
  if (base.speculative === null) return profile
  let speculative: Speculative = {
    ...base.speculative,
    acceptLength,
    residual: emptyResidual(measuredCells(table), effectiveMaxRunning(base.limits)),
    lag: 0,
  }
  for (let round = 0; round < options.rounds; round++) {
    profile = { ...profile, speculative }
    const fitted = checkProfile(profile, table, options)
    if (round === 1) speculative = { ...speculative, lag: lagOf(fitted) }
    speculative = { ...speculative, residual: corrected(profile, fitted) }
  }
  return { ...profile, speculative }
}

/** Measures every cell in virtual time. */
export function checkProfile(
  profile: Profile,
  table: MeasuredTable,
  options: Omit<FitOptions, 'rounds'>,
): FittedCell[] {
  return measuredCells(table).map((measured, index) => ({
    measured,
    figures: measureCell(profile, {
      contextTokens: measured.contextTokens,
      concurrency: measured.concurrency,
      maxOutputTokens: table.maxOutputTokens,
      windowMs: options.windowMs,
      seed: options.seed + index,
    }),
  }))
}

/** The cells that have a rate. */
function measuredCells({ cells }: MeasuredTable): MeasuredCell[] {
  return cells.filter(({ totalTokensPerSecond }) => totalTokensPerSecond !== null)
}

function emptyResidual(cells: readonly MeasuredCell[], maxRunning: number): Grid {
  const ascending = (values: number[]) => [...new Set(values)].toSorted((a, b) => a - b)
  const rows = ascending(cells.map(({ contextTokens }) => contextTokens))
  const columns = ascending(cells.map(({ concurrency }) => Math.min(concurrency, maxRunning)))
  return { rows, columns, values: rows.map(() => columns.map(() => 1)) }
}

/** The residual times what was measured over what came out; a cell that was not measured takes after its left neighbour. */
function corrected({ speculative, limits }: Profile, fitted: readonly FittedCell[]): Grid | null {
  const residual = speculative?.residual ?? null
  if (speculative === null || residual === null) return null
  const { rows, columns, values } = residual
  const most = (speculative.draftTokens * 0.97) / speculative.acceptLength
  const least = 1.03 / speculative.acceptLength
  return {
    rows,
    columns,
    values: rows.map((row, i) => {
      let last = 1
      return columns.map((column, j) => {
        const cell = fitted.find(
          ({ measured: { contextTokens, concurrency } }) =>
            contextTokens === row && Math.min(concurrency, effectiveMaxRunning(limits)) === column,
        )
        if (cell === undefined) return last
        const { totalTokensPerSecond: wanted } = cell.measured
        const factor = (values[i]?.[j] ?? 1) * ((wanted ?? 0) / cell.figures.totalTokensPerSecond)
        last = rounded(Math.min(most, Math.max(least, factor)), 4)
        return last
      })
    }),
  }
}

/** How far the typical request of the table stays behind what its total lets expect, beyond what the profile shows by itself. */
function lagOf(fitted: readonly FittedCell[]): number {
  const ratios = fitted.flatMap(({ measured, figures }) => {
    const { concurrency, totalTokensPerSecond, perRequestTokensPerSecond } = measured
    if (concurrency < largeBatch || totalTokensPerSecond === null || perRequestTokensPerSecond === null)
      return []
    const own = (figures.perRequestTokensPerSecond ?? 0) / figures.totalTokensPerSecond
    return own > 0 ? [perRequestTokensPerSecond / totalTokensPerSecond / own] : []
  })
  const lag = 1 - (median(ratios) ?? 1)
  return lag < 0.02 ? 0 : rounded(Math.min(lag, largestLag), 3)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
