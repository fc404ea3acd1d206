import { z } from 'zod'
import type { Gate } from '../domain/compare-gate.ts'
import { comparedFigures } from '../domain/compared-cell.ts'
import { TokgridError } from '../domain/failure.ts'
import type { Slo } from '../domain/run-options.ts'
import type { Requirement } from '../domain/slo.ts'
import { parseSeconds, parseTokens } from './quantities.ts'

/** `ttft=1s` or `itl=50ms` */
export const sloTerm = z.string().transform((text, context): Partial<Slo> => {
  const match = /^(ttft|itl)=(.+)$/i.exec(text)
  const seconds = parseSeconds(match?.[2] ?? '')
  if (match?.[1] !== undefined && seconds !== null && seconds > 0)
    return match[1].toLowerCase() === 'ttft' ? { ttftMs: seconds * 1000 } : { itlMs: seconds * 1000 }
  context.addIssue({ code: 'custom', message: `"${text}" is not a limit (try ttft=1s or itl=50ms)` })
  return z.NEVER
})

/** `8k=16`: at 8K at least 16 streams; `16`: at every context. */
export const requirement = z.string().transform((text, context): Requirement => {
  const match = /^(?:([^=]+)=)?(\d+)$/.exec(text.trim())
  const contextTokens = match?.[1] === undefined ? null : parseTokens(match[1])
  const concurrency = Number(match?.[2] ?? 0)
  if (concurrency >= 1 && (match?.[1] === undefined || contextTokens !== null))
    return { contextTokens, concurrency }
  context.addIssue({ code: 'custom', message: `"${text}" is not a requirement (try 8k=16, or 16)` })
  return z.NEVER
})

/** `tok/s:-3%`: fails when tok/s falls by 3 % or more; `ttft:+10%` when TTFT rises. The sign may be left out. */
export const gate = z.string().transform((text, context): Gate => {
  const match = /^([a-z/]+):([+-]?)(\d+(?:\.\d+)?)\s*%?$/i.exec(text.trim())
  const known = comparedFigures.find(({ figure }) => figure === match?.[1]?.toLowerCase())
  const share = Number(match?.[3] ?? 0) / 100
  const wrongWay = known?.better === 'high' ? '+' : '-'
  if (known !== undefined && share > 0 && match?.[2] !== wrongWay && (known.better === 'low' || share < 1))
    return { figure: known.figure, limit: known.better === 'high' ? -share : share }
  const names = comparedFigures.map(({ figure }) => figure).join(', ')
  context.addIssue({
    code: 'custom',
    message: `"${text}" is not a gate (try tok/s:-3% or ttft:+10%; there are ${names})`,
  })
  return z.NEVER
})

/** The limits together; `null` without any. Throws TokgridError (usage) when something is required of no limit. */
export function sloOf(terms: readonly Partial<Slo>[], requirements: readonly Requirement[]): Slo | null {
  if (terms.length > 0) return Object.assign({ ttftMs: null, itlMs: null }, ...terms)
  if (requirements.length === 0) return null
  throw new TokgridError('usage', '--require needs limits to hold', 'give them by --slo ttft=1s or itl=50ms')
}
