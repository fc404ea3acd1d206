import type { Pair } from '../../src/domain/compare-cells.ts'
import type { Difference } from '../../src/domain/compare-figure.ts'
import type { ComparedCell } from '../../src/domain/compared-cell.ts'
import { type Distribution, emptyDistribution } from '../../src/domain/statistics.ts'

/** Cells and pairs to compare, with one thing said. */

export function spread(change: Partial<Distribution> = {}): Distribution {
  return { ...emptyDistribution, ...change }
}

/** tok/s with the half-width of its interval, from so many requests. */
export function throughput(mean: number, ci95: number | null, n = 30): ComparedCell['totalTokensPerSecond'] {
  return { mean, ci95, batchMeans: { ci95: 0, n: 15 }, requestLevel: { ci95, n } }
}

/** 8K × 4, valid, 100 tok/s ± 1 %, 50 steps/s. */
export function cell(change: Partial<ComparedCell> = {}): ComparedCell {
  return {
    contextTokens: 8192,
    concurrency: 4,
    status: 'valid',
    reasons: [],
    windowSeconds: 30,
    totalTokensPerSecond: throughput(100, 1),
    stepsPerSecond: 50,
    interChunkMs: spread({ n: 6000, p50: 20, p90: 21 }),
    ttftMs: null,
    itlMs: null,
    ...change,
  }
}

export function difference(change: Partial<Difference>): Difference {
  const error = { variance: 0.0001, degrees: 29 }
  return {
    a: 100,
    b: 100,
    change: 0,
    interval: { low: -0.01, high: 0.01 },
    p: 0.5,
    verdict: 'same',
    error,
    ...change,
  }
}

export function pair(change: Partial<Pair> = {}): Pair {
  return {
    contextTokens: 8192,
    concurrency: 4,
    a: { status: 'valid', reasons: [] },
    b: { status: 'valid', reasons: [] },
    isComparable: true,
    differences: {},
    ...change,
  }
}
