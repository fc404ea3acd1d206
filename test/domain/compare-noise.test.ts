import { beforeAll, describe, expect, test } from 'vitest'
import { pairCells } from '../../src/domain/compare-cells.ts'
import { judgeGate } from '../../src/domain/compare-gate.ts'
import { tallyPairs } from '../../src/domain/compare-tally.ts'
import type { ComparedCell, FigureName } from '../../src/domain/compared-cell.ts'
import { gapDistribution, typicalGapMs } from '../../src/domain/gap-histogram.ts'
import { throughputIntervals } from '../../src/domain/interval.ts'
import { itlMs } from '../../src/domain/request-trace.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { distribution, known, sum } from '../../src/domain/statistics.ts'
import { cell, spread } from './comparable.ts'
import { decodePass } from './simulated-decode.ts'

/**
 * Runs of one truth, or of two that are known to differ, from simulated decode through the same functions as in a run.
 * Each run has a pace of its own, as the assumed noise between runs says.
 */
const runNoise = 0.01
const windowSeconds = 10
const stepMs = 20

function run(seed: number, slower = 1): ComparedCell {
  const random = seededRandom(seed)
  const pace = stepMs * slower * Math.exp((runNoise / 1.96) * normal(random))
  const pass = decodePass(
    {
      streams: 4,
      windowMs: windowSeconds * 1000,
      stepMs: pace,
      acceptance: { mean: 3.5, betweenRequests: 0.5 },
      outputTokens: 512,
    },
    seed,
  )
  const total = sum(pass.counts.sliceTokens) / windowSeconds
  const gaps = scatteredGaps(pace, random)
  const step = typicalGapMs(gaps)
  return cell({
    windowSeconds,
    totalTokensPerSecond: { mean: total, ...throughputIntervals([pass]) },
    stepsPerSecond: step === null ? null : 1000 / step,
    interChunkMs: gapDistribution(gaps),
    itlMs: distribution(known(pass.traces.map(({ window }) => (window === null ? null : itlMs(window))))),
    ttftMs: {
      source: 'steady',
      steady: distribution(Array.from({ length: 12 }, () => 10 * pace * Math.exp(0.3 * normal(random)))),
      launch: spread(),
    },
  })
}

/** Steps that scatter by 5 %, as a histogram of µs. */
function scatteredGaps(pace: number, random: () => number): [number, number][] {
  const steps = Array.from({ length: (windowSeconds * 1000) / pace }, () =>
    Math.round(1000 * pace * Math.exp(0.05 * normal(random))),
  )
  return steps.sort((a, b) => a - b).map(microseconds => [microseconds, 1])
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

const figures: readonly FigureName[] = ['tok/s', 'steps/s', 'ttft', 'itl']
const pairsOf = (count: number, slower: number, firstSeed: number) =>
  Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + 2 * index
    return pairCells([run(seed)], [run(seed + 1, slower)], runNoise)
  }).flat()
const shareOf = (pairs: ReturnType<typeof pairsOf>, figure: FigureName, verdict: string) =>
  pairs.filter(({ differences }) => differences[figure]?.verdict === verdict).length / pairs.length

describe('1,000 pairs of runs without a difference', () => {
  let pairs: ReturnType<typeof pairsOf> = []
  beforeAll(() => {
    pairs = pairsOf(1000, 1, 1)
  }, 30_000)

  test.each(figures)('are called different in %s in at most 5 % of cases', figure => {
    const called = shareOf(pairs, figure, 'better') + shareOf(pairs, figure, 'worse')
    expect(pairs.every(({ differences }) => differences[figure]?.p !== null)).toBe(true)
    expect(called).toBeLessThanOrEqual(0.05)
  })

  test.each(['tok/s', 'steps/s'] as const)(
    'are called so in %s in some, or the interval would be too wide to use',
    figure => {
      const called = shareOf(pairs, figure, 'better') + shareOf(pairs, figure, 'worse')
      expect(called).toBeGreaterThan(0.01)
    },
  )

  test('fail a gate as matrices of 20 cells in at most 5 % of cases', () => {
    const matrices = Array.from({ length: 50 }, (_, index) => pairs.slice(20 * index, 20 * index + 20))
    for (const figure of ['tok/s', 'steps/s'] as const) {
      const failed = matrices.filter(
        matrix => !judgeGate({ figure, limit: -1e-6 }, matrix, tallyPairs(matrix, runNoise)).passed,
      )
      expect(failed.length / matrices.length).toBeLessThanOrEqual(0.05)
    }
  })
})

test('runs whose steps are 5 % slower are found by steps/s in nearly all cases', () => {
  const pairs = pairsOf(100, 1.05, 50_000)
  expect(shareOf(pairs, 'steps/s', 'worse')).toBeGreaterThanOrEqual(0.95)
  expect(shareOf(pairs, 'steps/s', 'better')).toBe(0)
}, 30_000)
