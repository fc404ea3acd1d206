import { z } from 'zod'

/**
 * The result file, version 1. Every object takes fields that it does not know: newer files stay readable. Fields that
 * came after the first release of a version are `later`; a rename or a new meaning is a new version (upgrade-result.ts).
 */
export const schemaVersion = 1

const count = z.number().int().nonnegative()
const figure = z.number().nullable()
const countOrNull = count.nullable()
const text = z.string().nullable()

/** A field that older files of the same version lack: absent is `null`. */
function later<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null)
}

const distribution = z
  .looseObject({
    n: count.describe('values'),
    mean: figure,
    p50: figure,
    p90: figure.describe('null below 20 values'),
    p99: figure.describe('null below 100 values'),
    max: figure,
  })
  .meta({ id: 'distribution', description: 'How values are spread, in the unit of the field' })
const meanAndMax = z.looseObject({ mean: figure, max: figure })
const reason = z
  .looseObject({ kind: z.string() })
  .meta({ id: 'reason', description: 'Why a cell has its status, with the numbers of its kind' })
const status = z.enum([
  'valid',
  'requests-queued',
  'over-capacity',
  'invalid',
  'failed',
  'skipped',
  'not-run',
])

const limit = z
  .looseObject({
    kind: z.enum(['context-length', 'max-running-requests', 'state-slots', 'kv-cache']),
    needed: z.number().describe('tokens, or requests'),
    available: z.number(),
  })
  .meta({ id: 'limit', description: 'What keeps a cell from fitting' })

const measuredIn = z
  .looseObject({ runId: z.string(), startedAt: z.iso.datetime({ offset: true }).nullable() })
  .optional()
  .describe('the earlier run that measured it and that this one resumed; absent: this run')

const figures = {
  promptTokens: z
    .looseObject({ mean: z.number(), min: figure, max: figure })
    .nullable()
    .describe('real tokens of the prompts, as the server counts them'),
  windowSeconds: figure.describe('length of the window, of all passes together'),
  outputTokens: figure.describe('tokens that arrived in the window'),
  totalTokensPerSecond: z
    .looseObject({
      mean: z.number().describe('output tokens / window seconds'),
      ci95: figure.describe('half-width of the 95 % interval, tok/s: the larger of the two below'),
      batchMeans: z.looseObject({ ci95: figure, n: count }),
      requestLevel: z.looseObject({ ci95: figure, n: count }),
    })
    .nullable(),
  perStreamTokensPerSecond: figure.describe('total / concurrency'),
  perRequestTokensPerSecond: z
    .looseObject({ n: count, p50: figure, p10: figure })
    .nullable()
    .describe('speed of one request while it streams, 1 / ITL'),
  stepsPerSecond: figure.describe('decode steps, 1000 / stepMs'),
  stepMs: figure.describe('typical gap between chunks: the mean of their middle half'),
  tokensPerChunk: figure.describe('output tokens of a chunk: acceptance, with speculative decoding'),
  stallFraction: figure.describe('share of the window in gaps longer than 3 times the median'),
  meanSequenceTokens: figure.describe('mean tokens that a stream held in the window, prompt and output'),
  ttftMs: z
    .looseObject({
      headline: figure.describe('median of the source'),
      source: z.enum(['steady', 'launch', 'all']),
      steady: distribution.describe('replacements written and answered inside the window'),
      launch: distribution.describe('the first requests of all streams'),
      all: distribution.optional().describe('both together, of tools that do not tell them apart'),
    })
    .nullable(),
  itlMs: distribution.nullable().describe('time between tokens, one value for each request'),
  interChunkMs: distribution.nullable().describe('gaps between chunks, all of them'),
  active: z
    .looseObject({ mean: z.number() })
    .nullable()
    .describe('our streams between first and last token, weighted by time'),
  requests: z
    .looseObject({
      started: countOrNull.describe('under way at some time inside the window'),
      completed: countOrNull,
      cutOff: countOrNull.describe('ended by the close of the window'),
      failed: countOrNull,
      stalled: countOrNull.describe('failed, because they fell silent'),
    })
    .nullable(),
  server: z
    .looseObject({
      running: meanAndMax.describe('requests'),
      queued: meanAndMax.extend({ share: figure.describe('of the samples with something queued') }),
      kvCacheUsage: meanAndMax.describe('0 to 1'),
      stateSlotUsage: meanAndMax.describe('0 to 1, of engines with state slots'),
      tokensPerSecond: figure.describe('by its live token counter'),
      agreement: figure.describe('its tokens / ours over the same time'),
      agreementTolerance: figure.describe('by how much that may differ from 1'),
      acceptLength: figure.describe('tokens accepted in a step'),
      retractions: figure.describe('requests taken back for want of KV cache'),
    })
    .nullable(),
  client: z
    .looseObject({ loopDelayP99Ms: figure, loopUtilisation: figure, workers: count })
    .nullable()
    .describe('how late and how busy (0 to 1) the worst load thread was'),
  hardware: later(
    z.looseObject({
      powerW: meanAndMax.describe('of all GPUs together'),
      utilisation: z.looseObject({ mean: figure }).describe('0 to 1'),
      temperatureC: z.looseObject({ max: figure }),
      clockMHz: z.looseObject({ mean: figure }),
      throttle: z.array(z.looseObject({ reason: z.string(), share: z.number() })).nullable(),
      tokensPerJoule: figure,
    }),
  ),
  slo: z
    .looseObject({ share: z.number(), n: count })
    .nullable()
    .describe('share of the requests that hold the asked limits'),
  series: z
    .looseObject({
      secondsPerPoint: z.number().positive(),
      tokensPerSecond: z.array(z.number()).describe('all streams together'),
      ttftMs: z.array(figure),
      running: z.array(figure),
      queued: z.array(figure),
      kvCacheUsage: z.array(figure),
    })
    .nullable(),
}

const decodeCell = z.looseObject({
  contextTokens: count.describe('nominal length of the context'),
  concurrency: count.describe('streams, C'),
  status,
  limit: limit.nullable().describe('the binding one of the limits'),
  limits: z.array(limit).describe('all limits that it does not hold'),
  reasons: z.array(reason),
  measuredIn,
  ...figures,
  scalingEfficiency: later(z.number()).describe('total(C) / (C × total(1)) of the same context'),
  partial: z
    .looseObject(figures)
    .meta({ id: 'figures', description: 'The figures of a cell' })
    .nullable()
    .describe('what an interrupted cell had; never compared'),
})

const prefillRow = z.looseObject({
  contextTokens: count.describe('nominal length of the context'),
  status,
  limit: limit.nullable(),
  limits: z.array(limit),
  reasons: z.array(reason),
  measuredIn,
  promptTokens: figure.describe('real tokens, median of the samples'),
  ttftMs: figure.describe('of cold prompts, median of the samples'),
  tokensPerSecond: figure.describe('prompt tokens / TTFT, median of the samples'),
  netTokensPerSecond: figure.describe('prompt tokens / (cold TTFT - cached TTFT)'),
  hostTokenizeMs: figure.describe('part of the TTFT that grows with the prompt and is not the GPU’s'),
  samples: z.array(z.looseObject({ promptTokens: figure, cachedTokens: figure, ttftMs: z.number() })),
})

export const resultSchema = z.looseObject({
  schema: z.literal('tokgrid/result'),
  schemaVersion: z.literal(schemaVersion),
  tool: z.looseObject({ name: z.string(), version: text, node: text }).describe('what measured'),
  run: z.looseObject({
    id: z.string(),
    startedAt: z.iso.datetime({ offset: true }).nullable().describe('with its zone'),
    endedAt: z.iso.datetime({ offset: true }).nullable(),
    ending: z.enum(['running', 'completed', 'stopped', 'aborted']),
    message: text.describe('why it ended early'),
    command: text.describe('the command line, secrets removed'),
    notes: z.record(z.string(), z.string()).default({}).describe('the operator’s own words on the run'),
    promptSet: z.looseObject({ version: z.string(), hash: z.string(), nonce: z.string() }).nullable(),
    options: z.looseObject({
      contexts: z.array(count),
      concurrency: z.array(count),
      durationSeconds: figure.describe('length of a window'),
      maxOutputTokens: countOrNull.describe('of one request'),
      prompts: z.enum(['unique', 'shared']).nullable(),
      seed: figure,
      temperature: figure.describe('null: the server’s own'),
      endpoint: z.enum(['chat', 'completions']).optional().describe('that generated'),
      extraBody: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('fields added to each request, secrets removed'),
      slo: z.looseObject({ ttftMs: figure, itlMs: figure }).optional().describe('limits that were asked for'),
    }),
  }),
  server: z.looseObject({
    url: text,
    engine: z.looseObject({
      name: text,
      version: text,
      quantization: text,
      backend: text,
      repository: text.default(null),
      build: text,
      commit: text,
    }),
    model: z.looseObject({ id: text, path: text, revision: text }),
    limits: z.looseObject({
      contextTokens: figure.describe('of one request'),
      kvCacheTokens: figure.describe('of one data-parallel rank'),
      maxRunningRequests: figure.describe('of one data-parallel rank'),
      pageSize: figure,
      dataParallelRanks: countOrNull,
    }),
    launch: z.looseObject({
      command: text,
      source: z.enum(['process', 'settings', 'flag']).nullable().default(null),
      settings: z.record(z.string(), z.unknown()).describe('as the server tells them, secrets removed'),
    }),
    features: z
      .looseObject({
        metrics: z.boolean(),
        loads: z.boolean(),
        realtimeCounters: z.boolean(),
        continuousUsage: z.boolean().nullable(),
        abort: z.boolean(),
        tokenize: z.boolean(),
      })
      .nullable(),
  }),
  hardware: z.looseObject({
    gpus: z
      .array(
        z.looseObject({
          name: z.string(),
          memoryMiB: figure,
          driver: text,
          powerLimitW: figure.optional(),
          migInstances: z.array(z.string()).optional(),
        }),
      )
      .nullable(),
    host: z.looseObject({ cpu: text, cores: countOrNull, memoryMiB: figure, os: z.string() }).nullable(),
  }),
  prefill: z.array(prefillRow),
  decode: z.array(decodeCell),
  described: z
    .record(z.string(), text)
    .default({})
    .describe('fields that the operator described, by their path, with what was found there before'),
  imported: later(
    z.looseObject({
      from: z.string().describe('the tool that wrote the file'),
      version: text,
      aside: z.record(z.string(), z.unknown()).describe('what has no place in this format'),
    }),
  ),
})

export type RunResult = z.infer<typeof resultSchema>
/** A result as it may stand in a file: later fields may be absent. */
export type ResultDocument = z.input<typeof resultSchema>
export type ResultCell = RunResult['decode'][number]
export type ResultPrefill = RunResult['prefill'][number]
