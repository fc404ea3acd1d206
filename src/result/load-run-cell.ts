import { importedCell, totalOf, ttftOfAll, untold, wholeRun } from './imported-result.ts'
import type { ResultCell } from './schema.ts'

type Distribution = NonNullable<ResultCell['itlMs']>

/** One run of a load generator at one concurrency. */
export type LoadRun = Pick<
  ResultCell,
  'promptTokens' | 'windowSeconds' | 'outputTokens' | 'perRequestTokensPerSecond' | 'itlMs'
> & {
  readonly contextTokens: number
  readonly concurrency: number
  readonly completed: number
  /** `null`: the file does not tell. */
  readonly failed: number | null
  readonly tokensPerSecond: number
  readonly ttftMs: Distribution
  /** Median gap between chunks. */
  readonly stepMs: number | null
  readonly acceptLength: number | null
}

/** With more failed requests than this the figures are those of another load: the rule of our own cells. */
const failedShareLimit = 0.01

/** The run as a cell; its figures are over all its requests, and marked so. */
export function loadRunCell({
  completed,
  failed,
  tokensPerSecond,
  ttftMs,
  stepMs,
  acceptLength,
  ...same
}: LoadRun): ResultCell {
  const started = failed === null ? null : completed + failed
  const isFailing = failed !== null && failed > failedShareLimit * (completed + failed)
  const failures = { kind: 'requests-failed', failed, started, example: 'see the file of the other tool' }
  return importedCell({
    ...same,
    status: isFailing ? 'invalid' : 'valid',
    reasons: isFailing ? [failures, wholeRun] : [wholeRun],
    totalTokensPerSecond: totalOf(tokensPerSecond),
    perStreamTokensPerSecond: tokensPerSecond / same.concurrency,
    stepMs,
    stepsPerSecond: stepMs === null ? null : 1000 / stepMs,
    ttftMs: ttftOfAll(ttftMs),
    requests: { started, completed, cutOff: null, failed, stalled: null },
    server: acceptLength === null ? null : { ...untold, acceptLength },
  })
}
