import { z } from 'zod'
import type { CellStatus, Reason } from '../domain/verdict.ts'

const number = z.number()
const figure = z.number().nullable()
const text = z.string()
const agreement = { agreement: number, tolerance: number }
const client = { loopDelayP99Ms: figure, loopUtilisation: figure }

/** All reasons that this version knows, with their numbers. */
const reason: z.ZodType<Reason> = z.union([
  z.object({
    kind: z.literal('requests-queued'),
    queuedShare: figure,
    meanInFlight: figure,
    wanted: number,
  }),
  z.object({ kind: z.literal('foreign-load'), detail: z.literal('not-drained'), running: figure }),
  z.object({
    kind: z.literal('foreign-load'),
    detail: z.literal('in-window'),
    running: number,
    ours: number,
    seconds: number,
  }),
  z.object({ kind: z.literal('foreign-load'), detail: z.literal('tokens'), ...agreement }),
  z.object({ kind: z.enum(['client-limited', 'client-busy']), ...client }),
  z.object({ kind: z.literal('accounting-mismatch'), ...agreement }),
  z.object({ kind: z.literal('unsteady'), firstMs: number, lastMs: number }),
  z.object({ kind: z.literal('streams-stalled'), streams: number, of: number, longestMs: number }),
  z.object({ kind: z.literal('retracted'), retractions: number }),
  z.object({ kind: z.literal('requests-failed'), failed: number, started: number, example: text }),
  z.object({ kind: z.literal('no-tokens') }),
  z.object({ kind: z.literal('tokens-estimated'), counting: z.enum(['final-usage', 'chunks']) }),
  z.object({ kind: z.literal('kv-tight'), needed: number, available: number }),
  z.object({ kind: z.literal('cache-hit'), cachedTokens: number, promptTokens: figure }),
  z.object({
    kind: z.literal('cache-cold'),
    detail: z.literal('requests'),
    requests: number,
    of: number,
    mostTokens: number,
    limitTokens: number,
  }),
  z.object({
    kind: z.literal('cache-cold'),
    detail: z.literal('average'),
    requests: number,
    meanTokens: number,
    limitTokens: number,
  }),
  z.object({ kind: z.literal('few-samples'), n: number }),
  z.object({ kind: z.literal('prompt-length-unknown') }),
  z.object({ kind: z.literal('chunks-together'), share: number }),
  z.object({
    kind: z.literal('ended-early'),
    requests: number,
    of: number,
    meanTokens: number,
    askedTokens: number,
  }),
  z.object({
    kind: z.literal('output-loop'),
    requests: number,
    of: number,
    periodChars: number,
    example: text,
  }),
  z.object({ kind: z.enum(['failed', 'pass-failed']), message: text }),
  z.object({
    kind: z.literal('retried'),
    status: z.custom<CellStatus>(isText),
    kinds: z.array(z.custom<Reason['kind']>(isText)),
  }),
])

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** A reason of a result as this version knows it; `null` for one of another version or another tool. */
export function readReason(found: { readonly kind: string }): Reason | null {
  return reason.safeParse(found).data ?? null
}
