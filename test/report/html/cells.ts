import { readRun } from '../../../src/report/html/read-run.ts'
import type { ReportRun } from '../../../src/report/html/report-run.ts'
import { noFigures } from '../../../src/result/build-result.ts'
import type { ResultCell } from '../../../src/result/schema.ts'
import { sampleResult } from '../../support/sample-result.ts'

/** A cell of which only the given is known. */
export function cell(
  contextTokens: number,
  concurrency: number,
  known: Partial<ResultCell> & { readonly total?: number; readonly ci95?: number } = {},
): ResultCell {
  const { total, ci95 = null, ...rest } = known
  const requestLevel = { ci95, n: 20 }
  return {
    ...noFigures,
    contextTokens,
    concurrency,
    status: 'valid',
    limit: null,
    limits: [],
    reasons: [],
    scalingEfficiency: null,
    partial: null,
    ...(total === undefined
      ? {}
      : { totalTokensPerSecond: { mean: total, ci95, batchMeans: { ci95: null, n: 15 }, requestLevel } }),
    ...rest,
  }
}

/** A run of these cells as the page has it. */
export function runOf(decode: readonly ResultCell[], name = 'A'): ReportRun {
  return readRun({ ...sampleResult(), prefill: [], decode: [...decode] }, name)
}
