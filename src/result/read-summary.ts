import { z } from 'zod'
import type { CellSummary } from '../domain/cell-summary.ts'
import type { ResultCell } from './schema.ts'

const number = z.number()
const figure = number.nullable()
const figures = z.array(figure)
const distribution = z.object({ n: number, mean: figure, p50: figure, p90: figure, p99: figure, max: figure })
const meanAndMax = z.object({ mean: figure, max: figure })
const interval = z.object({ ci95: figure, n: number })

/** What a run knows of a cell that it has measured. */
const summary: z.ZodType<CellSummary> = z.object({
  promptTokens: z.object({ mean: number, min: number, max: number }).nullable(),
  windowSeconds: number,
  outputTokens: number,
  totalTokensPerSecond: z.object({
    mean: number,
    ci95: figure,
    batchMeans: interval,
    requestLevel: interval,
  }),
  perStreamTokensPerSecond: number,
  perRequestTokensPerSecond: z.object({ n: number, p50: figure, p10: figure }),
  stepsPerSecond: figure,
  stepMs: figure,
  tokensPerChunk: figure,
  stallFraction: figure,
  meanSequenceTokens: figure,
  ttftMs: z.object({
    headline: figure,
    source: z.enum(['steady', 'launch']),
    steady: distribution,
    launch: distribution,
  }),
  itlMs: distribution,
  interChunkMs: distribution,
  active: z.object({ mean: number }),
  requests: z.object({
    started: number,
    completed: number,
    cutOff: number,
    failed: number,
    stalled: number,
  }),
  server: z.object({
    running: meanAndMax,
    queued: meanAndMax.extend({ share: figure }),
    kvCacheUsage: meanAndMax,
    stateSlotUsage: meanAndMax,
    tokensPerSecond: figure,
    agreement: figure,
    agreementTolerance: figure,
    acceptLength: figure,
    retractions: figure,
  }),
  client: z.object({ loopDelayP99Ms: figure, loopUtilisation: figure, workers: number }),
  hardware: z
    .object({
      powerW: meanAndMax,
      utilisation: z.object({ mean: figure }),
      temperatureC: z.object({ max: figure }),
      clockMHz: z.object({ mean: figure }),
      throttle: z
        .array(
          z.object({
            reason: z.enum([
              'power-cap',
              'thermal',
              'hardware-thermal',
              'power-brake',
              'hardware-slowdown',
              'sync-boost',
              'clock-setting',
              'unspecified',
            ]),
            share: number,
          }),
        )
        .nullable(),
      tokensPerJoule: figure,
    })
    .nullable(),
  slo: z.object({ share: number, n: number }).nullable(),
  series: z.object({
    secondsPerPoint: number,
    tokensPerSecond: z.array(number),
    ttftMs: figures,
    running: figures,
    queued: figures,
    kvCacheUsage: figures,
  }),
})

/** The figures of a cell as the run had them that measured it; `null` when one is missing that a run always has. */
export function readSummary(cell: ResultCell): CellSummary | null {
  return summary.safeParse(cell).data ?? null
}
