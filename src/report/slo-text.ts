import type { Slo } from '../domain/run-options.ts'
import type { Requirement, SloRow } from '../domain/slo.ts'
import { amount, contextName, milliseconds, unknown } from '../format/units.ts'

/** TTFT within 1,000 ms, ITL within 50 ms */
export function sloText({ ttftMs, itlMs }: Slo): string {
  const limits = [
    ttftMs === null ? [] : `TTFT within ${milliseconds(ttftMs)}`,
    itlMs === null ? [] : `ITL within ${milliseconds(itlMs)}`,
  ]
  return limits.flat().join(', ')
}

/** 16, more from a matrix that ended there: ≥ 128; `none` when the smallest does not hold; `–` when none could be judged. */
export function sloRowText({ concurrency, brokenAt }: SloRow): string {
  if (concurrency === null) return unknown
  if (concurrency === 0) return 'none'
  return brokenAt === null ? `≥ ${concurrency}` : String(concurrency)
}

/** One sentence for each requirement that is not met. */
export function unmetSentence({ contextTokens, concurrency }: Requirement, rows: readonly SloRow[]): string {
  const asked = rows.filter(row => contextTokens === null || row.contextTokens === contextTokens)
  const short = asked.filter(row => (row.concurrency ?? 0) < concurrency)
  const where = contextTokens === null ? 'every context' : contextName(contextTokens)
  const found =
    short.length === 0
      ? 'it was not measured'
      : short.map(row => `${contextName(row.contextTokens)} holds ${sloRowText(row)}`).join(', ')
  const verb = concurrency === 1 ? 'is' : 'are'
  return `${amount(concurrency, 'stream')} within the SLO ${verb} required at ${where}: ${found}`
}
