import type { JobTarget } from '../domain/events.ts'
import type { CellState, RunState } from '../domain/run-state.ts'

/** A place of the matrix that can be selected: a cell, or a prefill row. */
export type Place = Extract<JobTarget, { readonly kind: 'cell' | 'prefill' }>
export type Direction = 'left' | 'right' | 'up' | 'down'

/** Contexts down, concurrency across, both ascending. */
export function axesOf({ cells, prefill }: RunState): {
  readonly contexts: readonly number[]
  readonly concurrency: readonly number[]
} {
  return {
    contexts: ascending([...cells, ...prefill].map(({ plan }) => plan.contextTokens)),
    concurrency: ascending(cells.map(({ plan }) => plan.concurrency)),
  }
}

/** What the operator has moved to; without that the work in progress, else the cell that ended last. */
export function selectedPlace(state: RunState, moved: Place | null): Place | null {
  if (moved !== null) return moved
  const target = state.job?.target
  if (target?.kind === 'cell' || target?.kind === 'prefill') return target
  const last = state.cells.findLastIndex(({ attempts }) => attempts > 0)
  if (last >= 0) return { kind: 'cell', cell: last }
  if (state.prefill.length > 0) return { kind: 'prefill', row: 0 }
  return state.cells.length > 0 ? { kind: 'cell', cell: 0 } : null
}

/** The cell of a place; `null`: it is a prefill row. */
export function cellAt({ cells }: RunState, place: Place | null): CellState | null {
  return place?.kind === 'cell' ? (cells[place.cell] ?? null) : null
}

/** The neighbour of a place; at the edge it stays where it is. */
export function neighbour(state: RunState, place: Place, direction: Direction): Place {
  const { contexts, concurrency } = axesOf(state)
  const { row, column } = positionOf(state, place)
  const [down, across] = steps[direction]
  const contextTokens = contexts[row + down]
  if (column + across < 0) {
    const index = state.prefill.findIndex(({ plan }) => plan.contextTokens === contextTokens)
    return index < 0 || column + across < -1 ? place : { kind: 'prefill', row: index }
  }
  const streams = concurrency[column + across]
  const index = state.cells.findIndex(
    ({ plan }) => plan.contextTokens === contextTokens && plan.concurrency === streams,
  )
  return index < 0 ? place : { kind: 'cell', cell: index }
}

/** Where a place stands in the matrix; the prefill column is left of the first, -1. */
export function positionOf(state: RunState, place: Place): { readonly row: number; readonly column: number } {
  const { contexts, concurrency } = axesOf(state)
  const cell = cellAt(state, place)
  const row = place.kind === 'prefill' ? state.prefill[place.row] : undefined
  return {
    row: contexts.indexOf((cell ?? row)?.plan.contextTokens ?? -1),
    column: cell === null ? -1 : concurrency.indexOf(cell.plan.concurrency),
  }
}

const steps: Readonly<Record<Direction, readonly [down: number, across: number]>> = {
  left: [0, -1],
  right: [0, 1],
  up: [-1, 0],
  down: [1, 0],
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
