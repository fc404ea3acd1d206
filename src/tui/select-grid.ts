import type { Fit, Limit } from '../domain/capacity.ts'
import { liveCourse, liveLoad } from '../domain/live.ts'
import type { CellState, Job, PrefillState, Progress, RunState } from '../domain/run-state.ts'
import { heatLevel } from '../format/heat.ts'
import { type Figure, figureBeneath } from './figures.ts'
import { heatStyles } from './span.ts'

/** The matrix as the screen shows it: one row for each context, one entry for each concurrency. */
export type GridView = {
  readonly concurrency: readonly number[]
  readonly rows: readonly GridRow[]
  /** Row and column that have to stay in sight. */
  readonly focus: { readonly row: number; readonly column: number }
  readonly hasPrefill: boolean
}

export type GridRow = {
  readonly contextTokens: number
  readonly prefill: PrefillView | null
  readonly cells: readonly (CellView | null)[]
}

export type PrefillView = {
  readonly status: Progress
  readonly limit: Limit['kind'] | null
  readonly tokensPerSecond: number | null
  readonly ttftMs: number | null
}

export type CellView = {
  readonly status: Progress
  readonly limit: Limit['kind'] | null
  readonly value: number | null
  /** 0, the worst of the matrix, to 5, the best. */
  readonly heat: number | null
  readonly beneath: number | null
  readonly ttftCourse: readonly (number | null)[]
  /** How far the window of the running cell is, 0..1. */
  readonly progress: number | null
}

export function selectGrid(state: RunState, figure: Figure, now: number): GridView {
  const concurrency = ascending(state.cells.map(({ plan }) => plan.concurrency))
  const contexts = ascending([...state.cells, ...state.prefill].map(({ plan }) => plan.contextTokens))
  const range = rangeOf(state.cells, figure)
  const views = new Map(
    state.cells.map(cell => [
      key(cell.plan.contextTokens, cell.plan.concurrency),
      cellView(cell, state.job, figure, range, now),
    ]),
  )
  return {
    concurrency,
    rows: contexts.map(contextTokens => ({
      contextTokens,
      prefill: prefillView(state.prefill.find(({ plan }) => plan.contextTokens === contextTokens)),
      cells: concurrency.map(streams => views.get(key(contextTokens, streams)) ?? null),
    })),
    focus: focusOf(state, contexts, concurrency),
    hasPrefill: state.prefill.length > 0,
  }
}

function cellView(
  { plan, status, summary }: CellState,
  job: Job | null,
  figure: Figure,
  range: Range,
  now: number,
): CellView {
  const base = {
    status,
    limit: limitOf(plan.fit),
    value: summary === null ? null : figure.of(summary),
    beneath: summary === null ? null : figureBeneath(figure).of(summary),
    ttftCourse: summary?.series.ttftMs ?? [],
    progress: null,
  }
  if (status === 'running' && job !== null) {
    const load = liveLoad(job.ticks)
    return {
      ...base,
      value: load === null ? null : figure.live(load),
      ttftCourse: liveCourse(job.ticks, 1000).ttftMs,
      heat: null,
      progress: windowShare(job, now),
    }
  }
  const level = status === 'invalid' ? null : heatLevel(base.value, range, heatStyles.length)
  return { ...base, heat: level !== null && figure.better === 'low' ? heatStyles.length - 1 - level : level }
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

function rangeOf(cells: readonly CellState[], figure: Figure): Range {
  const values = cells.flatMap(({ summary, status }) => {
    const value = summary === null || status === 'invalid' ? null : figure.of(summary)
    return value === null ? [] : [value]
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

/** The work in progress, else the cell that ended last. */
function focusOf(
  state: RunState,
  contexts: readonly number[],
  concurrency: readonly number[],
): GridView['focus'] {
  const target = state.job?.target
  const row = target?.kind === 'prefill' ? state.prefill[target.row] : undefined
  const cell =
    target?.kind === 'cell' ? state.cells[target.cell] : state.cells.findLast(({ attempts }) => attempts > 0)
  return {
    row: Math.max(0, contexts.indexOf(row?.plan.contextTokens ?? cell?.plan.contextTokens ?? 0)),
    column: Math.max(0, concurrency.indexOf(cell?.plan.concurrency ?? 0)),
  }
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

function key(contextTokens: number, concurrency: number): string {
  return `${contextTokens}×${concurrency}`
}
