import type { Fit, Limit } from '../domain/capacity.ts'
import { liveCourse, liveLoad } from '../domain/live.ts'
import type { CellState, Job, PrefillState, Progress, RunState } from '../domain/run-state.ts'
import { heatLevel } from '../format/heat.ts'
import { type Figure, figureBeneath, type LiveFigures } from './figures.ts'
import { gridSigns } from './grid-signs.ts'
import type { Sign } from './marks.ts'
import { axesOf, type Place, positionOf } from './selection.ts'
import { heatStyles } from './span.ts'

/** The matrix as the screen shows it: one row for each context, one entry for each concurrency. */
export type GridView = {
  readonly concurrency: readonly number[]
  readonly rows: readonly GridRow[]
  /** The selected place, which has to stay in sight; column -1 is that of prefill. */
  readonly selected: { readonly row: number; readonly column: number }
  readonly hasPrefill: boolean
}

export type GridRow = {
  readonly contextTokens: number
  readonly prefill: PrefillView | null
  readonly cells: readonly (CellView | null)[]
  /** TTFT in ms over the concurrencies. */
  readonly ttft: readonly (number | null)[]
}

export type PrefillView = {
  readonly status: Progress
  readonly limit: Limit['kind'] | null
  readonly tokensPerSecond: number | null
  readonly ttftMs: number | null
}

export type CellView = {
  readonly status: Progress
  readonly signs: readonly Sign[]
  readonly limit: Limit['kind'] | null
  /** It has figures, though the one that is shown may be unknown. */
  readonly isMeasured: boolean
  readonly value: number | null
  /** 0, the worst of the matrix, to 5, the best. */
  readonly heat: number | null
  readonly beneath: number | null
  readonly ttftCourse: readonly (number | null)[]
  /** How far the window of the running cell is, 0..1. */
  readonly progress: number | null
}

export function selectGrid(state: RunState, figure: Figure, now: number, selected: Place | null): GridView {
  const { contexts, concurrency } = axesOf(state)
  const range = rangeOf(state.cells, figure)
  const signs = gridSigns(state)
  const prefill = new Map(state.prefill.map(row => [row.plan.contextTokens, row]))
  return {
    concurrency,
    rows: contexts.map(contextTokens => {
      const found = new Map(
        state.cells.flatMap(cell =>
          cell.plan.contextTokens === contextTokens ? [[cell.plan.concurrency, cell]] : [],
        ),
      )
      const cells = concurrency.map(streams => found.get(streams) ?? null)
      return {
        contextTokens,
        prefill: prefillView(prefill.get(contextTokens)),
        cells: cells.map(cell =>
          cell === null ? null : cellView(cell, signs.get(cell) ?? [], state, figure, range, now),
        ),
        ttft: cells.map(cell => cell?.summary?.ttftMs.headline ?? null),
      }
    }),
    selected: selected === null ? { row: 0, column: 0 } : positionOf(state, selected),
    hasPrefill: state.prefill.length > 0,
  }
}

function cellView(
  { plan, status, summary }: CellState,
  cellSigns: readonly Sign[],
  { job, samples }: RunState,
  figure: Figure,
  range: Range,
  now: number,
): CellView {
  const base = {
    status,
    signs: cellSigns,
    limit: limitOf(plan.fit),
    isMeasured: summary !== null,
    value: summary === null ? null : figure.of(summary),
    beneath: summary === null ? null : figureBeneath(figure).of(summary),
    ttftCourse: summary?.series.ttftMs ?? [],
    progress: null,
  }
  if (status === 'running' && job !== null) {
    const live = liveFigures(job, samples.at(-1) ?? null)
    return {
      ...base,
      value: live === null ? null : figure.live(live),
      ttftCourse: liveCourse(job.ticks, 1000).ttftMs,
      heat: null,
      progress: windowShare(job, now),
    }
  }
  const level = status === 'invalid' ? null : heatLevel(base.value, range, heatStyles.length)
  // Where all are alike each is the best, whatever the figure.
  const isTurned = figure.better === 'low' && range.highest > range.lowest
  return { ...base, heat: level !== null && isTurned ? heatStyles.length - 1 - level : level }
}

/** `null` before the first streams are under way. */
export function liveFigures(job: Job, sample: LiveFigures['sample']): LiveFigures | null {
  const load = liveLoad(job.ticks)
  return load === null ? null : { load, sample }
}

function prefillView(row: PrefillState | undefined): PrefillView | null {
  if (row === undefined) return null
  return {
    status: row.status,
    limit: limitOf(row.plan.fit),
    tokensPerSecond: row.summary?.tokensPerSecond ?? null,
    ttftMs: row.summary?.ttftMs ?? null,
  }
}

type Range = { readonly lowest: number; readonly highest: number }

/** Of values above zero: on a scale of proportions zero has no place. */
function rangeOf(cells: readonly CellState[], figure: Figure): Range {
  const values = cells.flatMap(({ summary, status }) => {
    const value = summary === null || status === 'invalid' ? null : figure.of(summary)
    return value === null || value <= 0 ? [] : [value]
  })
  return { lowest: Math.min(...values), highest: Math.max(...values) }
}

export function windowShare({ window, phase }: Job, now: number): number | null {
  if (window === null || phase === 'close') return phase === 'close' ? 1 : null
  return Math.min(1, Math.max(0, (now - window.from) / (window.to - window.from)))
}

function limitOf(fit: Fit): Limit['kind'] | null {
  return fit.kind === 'over' ? fit.limits[0].kind : null
}
