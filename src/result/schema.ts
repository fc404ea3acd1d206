import { z } from 'zod'

/** The result file, version 1. Every object takes fields that it does not know: newer files stay readable. */
export const schemaVersion = 1

const count = z.number().int().nonnegative()
const figure = z.number().nullable()

const distribution = z.looseObject({
  n: count,
  mean: figure,
  p50: figure,
  p90: figure,
  p99: figure,
  max: figure,
})
const meanAndMax = z.looseObject({ mean: figure, max: figure })
const reason = z.looseObject({ kind: z.string() })
const status = z.enum([
  'valid',
  'requests-queued',
  'over-capacity',
  'invalid',
  'failed',
  'skipped',
  'not-run',
])

const limit = z.looseObject({
  kind: z.enum(['context-length', 'max-running-requests', 'state-slots', 'kv-cache']),
  needed: z.number(),
  available: z.number(),
})

const figures = {
  promptTokens: z.looseObject({ mean: z.number(), min: z.number(), max: z.number() }).nullable(),
  windowSeconds: figure,
  outputTokens: figure,
  totalTokensPerSecond: z
    .looseObject({
      mean: z.number(),
      ci95: figure,
      batchMeans: z.looseObject({ ci95: figure, n: count }),
      requestLevel: z.looseObject({ ci95: figure, n: count }),
    })
    .nullable(),
  perStreamTokensPerSecond: figure,
  perRequestTokensPerSecond: z.looseObject({ n: count, p50: figure, p10: figure }).nullable(),
  stepsPerSecond: figure,
  stepMs: figure,
  tokensPerChunk: figure,
  stallFraction: figure,
  meanSequenceTokens: figure,
  ttftMs: z
    .looseObject({
      headline: figure,
      source: z.enum(['steady', 'launch']),
      steady: distribution,
      launch: distribution,
    })
    .nullable(),
  itlMs: distribution.nullable(),
  interChunkMs: distribution.nullable(),
  active: z.looseObject({ mean: z.number() }).nullable(),
  requests: z
    .looseObject({ started: count, completed: count, cutOff: count, failed: count, stalled: count })
    .nullable(),
  server: z
    .looseObject({
      running: meanAndMax,
      queued: meanAndMax.extend({ share: figure }),
      kvCacheUsage: meanAndMax,
      stateSlotUsage: meanAndMax,
      tokensPerSecond: figure,
      agreement: figure,
      agreementTolerance: figure,
      acceptLength: figure,
      retractions: figure,
    })
    .nullable(),
  client: z.looseObject({ loopDelayP99Ms: figure, loopUtilisation: figure, workers: count }).nullable(),
  slo: z.looseObject({ share: z.number(), n: count }).nullable(),
  series: z
    .looseObject({
      secondsPerPoint: z.number().positive(),
      tokensPerSecond: z.array(z.number()),
      ttftMs: z.array(figure),
      running: z.array(figure),
      queued: z.array(figure),
      kvCacheUsage: z.array(figure),
    })
    .nullable(),
}

const decodeCell = z.looseObject({
  contextTokens: count,
  concurrency: count,
  status,
  limit: limit.nullable(),
  limits: z.array(limit),
  reasons: z.array(reason),
  ...figures,
  scalingEfficiency: figure,
  /** What an interrupted cell had; never compared. */
  partial: z.looseObject(figures).nullable(),
})

const prefillRow = z.looseObject({
  contextTokens: count,
  status,
  limit: limit.nullable(),
  limits: z.array(limit),
  reasons: z.array(reason),
  promptTokens: figure,
  ttftMs: figure,
  tokensPerSecond: figure,
  netTokensPerSecond: figure,
  hostTokenizeMs: figure,
  samples: z.array(z.looseObject({ promptTokens: figure, cachedTokens: figure, ttftMs: z.number() })),
})

const text = z.string().nullable()

export const resultSchema = z.looseObject({
  schema: z.literal('tokgrid/result'),
  schemaVersion: z.literal(schemaVersion),
  tool: z.looseObject({ name: z.string(), version: z.string(), node: z.string() }),
  run: z.looseObject({
    id: z.string(),
    startedAt: z.iso.datetime({ offset: true }),
    endedAt: z.iso.datetime({ offset: true }).nullable(),
    ending: z.enum(['running', 'completed', 'stopped', 'aborted']),
    message: text,
    command: z.string(),
    promptSet: z.looseObject({ version: z.string(), hash: z.string(), nonce: z.string() }),
    options: z.looseObject({
      contexts: z.array(count),
      concurrency: z.array(count),
      durationSeconds: z.number(),
      maxOutputTokens: count,
      prompts: z.enum(['unique', 'shared']),
      seed: z.number(),
      temperature: figure,
    }),
  }),
  server: z.looseObject({
    url: z.string(),
    engine: z.looseObject({
      name: z.string(),
      version: text,
      quantization: text,
      backend: text,
      build: text,
      commit: text,
    }),
    model: z.looseObject({ id: z.string(), path: text, revision: text }),
    limits: z.looseObject({
      contextTokens: figure,
      kvCacheTokens: figure,
      maxRunningRequests: figure,
      pageSize: figure,
      dataParallelRanks: count,
    }),
    launch: z.looseObject({ command: text, settings: z.record(z.string(), z.unknown()) }),
    features: z.looseObject({
      metrics: z.boolean(),
      loads: z.boolean(),
      realtimeCounters: z.boolean(),
      continuousUsage: z.boolean().nullable(),
      abort: z.boolean(),
      tokenize: z.boolean(),
    }),
  }),
  hardware: z.looseObject({
    gpus: z.array(z.looseObject({ name: z.string(), memoryMiB: figure, driver: text })).nullable(),
    host: z.looseObject({ cpu: text, cores: count, memoryMiB: figure, os: z.string() }).nullable(),
  }),
  prefill: z.array(prefillRow),
  decode: z.array(decodeCell),
})

export type RunResult = z.infer<typeof resultSchema>
export type ResultCell = RunResult['decode'][number]
export type ResultPrefill = RunResult['prefill'][number]
