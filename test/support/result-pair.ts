import type { ResultCell, RunResult } from '../../src/result/schema.ts'
import { sampleResult } from './sample-result.ts'

/** The sample run with tok/s of its cells known to ±1 % from 30 requests, and steps that scatter by 5 %. */
export function preciseResult(): RunResult {
  return withCells(sampleResult(), cell => ({
    ...cell,
    reasons: [],
    totalTokensPerSecond: {
      mean: 1000,
      ci95: 10,
      batchMeans: { ci95: 5, n: 15 },
      requestLevel: { ci95: 10, n: 30 },
    },
    stepsPerSecond: 50,
    interChunkMs: { n: 6000, mean: 20, p50: 20, p90: 21, p99: 22, max: 30 },
  }))
}

/** The same run with every cell's tok/s times `factor`, its interval in proportion. */
export function scaled(result: RunResult, factor: number): RunResult {
  return withCells(result, ({ totalTokensPerSecond: total, ...cell }) => ({
    ...cell,
    totalTokensPerSecond: total && {
      ...total,
      mean: factor * total.mean,
      ci95: total.ci95 && factor * total.ci95,
      requestLevel: {
        ...total.requestLevel,
        ci95: total.requestLevel.ci95 && factor * total.requestLevel.ci95,
      },
    },
  }))
}

export function withCells(result: RunResult, change: (cell: ResultCell) => ResultCell): RunResult {
  return { ...result, decode: result.decode.map(change) }
}
