import type { Slo } from '../domain/run-options.ts'
import { sloRows } from '../domain/slo.ts'
import { contextName } from '../format/units.ts'
import type { RunResult } from '../result/schema.ts'
import { sloRowText, sloText } from './slo-text.ts'

/** The largest concurrency that holds the limits, for each context; `null` when no limit is asked. */
export type SloSection = {
  readonly heading: string
  readonly rows: readonly (readonly [context: string, concurrency: string])[]
}

/** `asked`: the reader's limits, `null` for those of the run. */
export function sloSection({ run, decode }: RunResult, asked: Slo | null): SloSection | null {
  const slo = asked ?? run.options.slo ?? null
  if (slo === null || (slo.ttftMs === null && slo.itlMs === null) || decode.length === 0) return null
  return {
    heading: `Most simultaneous requests with ${sloText(slo)}`,
    rows: sloRows(decode, slo).map(row => [contextName(row.contextTokens), sloRowText(row)] as const),
  }
}
