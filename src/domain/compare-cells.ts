import { isComparable } from './comparable.ts'
import { type Difference, differenceOf } from './compare-figure.ts'
import {
  type ComparedCell,
  type ComparedPrefill,
  cellEstimates,
  comparedFigures,
  type Estimates,
  type FigureName,
  type FoundReason,
  rowEstimates,
} from './compared-cell.ts'
import type { CellStatus } from './verdict.ts'

/** What became of a cell or prefill row in one run. */
export type Side = { readonly status: CellStatus | 'missing'; readonly reasons: readonly FoundReason[] }

/** The same cell, or prefill row (`concurrency` null), in two runs. */
export type Pair = {
  readonly contextTokens: number
  readonly concurrency: number | null
  readonly a: Side
  readonly b: Side
  /** Both sides were measured and may be compared. */
  readonly isComparable: boolean
  /** Of the figures that both sides have; empty when not comparable. */
  readonly differences: Readonly<Partial<Record<FigureName, Difference>>>
}

/** Cells of A and B by context and concurrency, in A's order, then those that only B has. */
export function pairCells(
  a: readonly ComparedCell[],
  b: readonly ComparedCell[],
  runNoise: number,
): readonly Pair[] {
  return match(a, b, ({ contextTokens, concurrency }) => `${contextTokens}×${concurrency}`).map(
    ([one, other]) => ({
      ...pairOf(one, other, cellEstimates, runNoise),
      concurrency: one?.concurrency ?? other?.concurrency ?? null,
    }),
  )
}

/** Prefill rows of A and B by context. */
export function pairPrefill(
  a: readonly ComparedPrefill[],
  b: readonly ComparedPrefill[],
  runNoise: number,
): readonly Pair[] {
  return match(a, b, ({ contextTokens }) => String(contextTokens)).map(([one, other]) => ({
    ...pairOf(one, other, rowEstimates, runNoise),
    concurrency: null,
  }))
}

function pairOf<T extends ComparedCell | ComparedPrefill>(
  a: T | undefined,
  b: T | undefined,
  estimates: (item: T, other: T) => Estimates,
  runNoise: number,
): Omit<Pair, 'concurrency'> {
  const sides = { a: sideOf(a), b: sideOf(b) }
  const areComparable = isComparable(sides.a) && isComparable(sides.b)
  const isBoth = areComparable && a !== undefined && b !== undefined
  return {
    contextTokens: a?.contextTokens ?? b?.contextTokens ?? 0,
    ...sides,
    isComparable: areComparable,
    differences: isBoth ? differencesOf(estimates(a, b), estimates(b, a), runNoise) : {},
  }
}

function differencesOf(a: Estimates, b: Estimates, runNoise: number): Pair['differences'] {
  return Object.fromEntries(
    comparedFigures.flatMap(({ figure, better }) => {
      const [ours, theirs] = [a[figure] ?? null, b[figure] ?? null]
      return ours === null || theirs === null ? [] : [[figure, differenceOf(ours, theirs, better, runNoise)]]
    }),
  )
}

function sideOf(item: ComparedCell | ComparedPrefill | undefined): Side {
  return item === undefined
    ? { status: 'missing', reasons: [] }
    : { status: item.status, reasons: item.reasons }
}

function match<T>(a: readonly T[], b: readonly T[], key: (item: T) => string) {
  const ours = new Map(a.map(item => [key(item), item]))
  const theirs = new Map(b.map(item => [key(item), item]))
  return [...new Set([...ours.keys(), ...theirs.keys()])].map(
    one => [ours.get(one), theirs.get(one)] as const,
  )
}
