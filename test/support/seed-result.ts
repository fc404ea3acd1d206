import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { emptyDistribution } from '../../src/domain/statistics.ts'
import { importedCell, importedResult, totalOf } from '../../src/result/imported-result.ts'
import { type ResultCell, type ResultPrefill, type RunResult, resultSchema } from '../../src/result/schema.ts'

export const seedNames = ['deepseek-v4-flash-2xh200', 'qwen3.5-35b-a3b-h200'] as const
export type SeedName = (typeof seedNames)[number]

const figure = z.number().nullable()
const seedRow = z.object({
  phase: z.enum(['prefill', 'decode']),
  contextK: z.number(),
  concurrency: z.number(),
  status: z.enum(['valid', 'requests-queued', 'over-capacity']),
  totalTokPerS: figure,
  perRequestTokPerS: figure,
  ttftMs: figure,
  itlMs: figure,
  averageActiveRequests: figure,
  completedRequests: figure,
  outputTokens: figure,
  measuredForS: figure,
})
const text = z.string().nullable()
const seed = z.object({
  measuredAt: text,
  hardware: z.object({ gpu: z.string(), gpuCount: z.number(), vramGb: z.number(), os: z.string() }),
  engine: z.object({
    name: z.string(),
    version: z.string(),
    quantization: z.string(),
    backend: z.string(),
    repository: z.string(),
    build: z.string(),
    commit: text,
  }),
  run: z.object({
    servedModel: z.string(),
    modelPath: z.string(),
    revision: z.string(),
    benchmarkTool: z.string(),
    decodeTest: z.string(),
    prefillMode: z.string(),
    measurementSeconds: z.number(),
    maxOutputTokens: z.number(),
  }),
  rows: z.array(seedRow),
})
type SeedRow = z.infer<typeof seedRow>

/** The text of the page that was published with the seed's figures. */
export function seedPage(name: SeedName): string {
  return readFileSync(new URL(`../fixtures/seeds/${name}.page.txt`, import.meta.url), 'utf8')
}

/** A published table as a result of ours. The launch command stands in the page alone. */
export function seedResult(name: SeedName): RunResult {
  const file = readFileSync(new URL(`../fixtures/seeds/${name}.json`, import.meta.url), 'utf8')
  const { measuredAt, hardware, engine, run, rows } = seed.parse(JSON.parse(file))
  const [tool = '', version = ''] = run.benchmarkTool.split(' v')
  const result = importedResult({
    from: tool,
    version,
    name,
    run: {
      startedAt: measuredAt,
      notes: { 'Decode test': run.decodeTest, 'Prefill mode': run.prefillMode },
    },
    options: { durationSeconds: run.measurementSeconds, maxOutputTokens: run.maxOutputTokens },
    engine,
    model: { id: run.servedModel, path: run.modelPath, revision: run.revision },
    launch: {
      command:
        seedPage(name)
          .split('\n')
          .find(line => line.includes(' serve ')) ?? null,
    },
    prefill: rows.filter(({ phase }) => phase === 'prefill').map(prefillRow),
    decode: rows.filter(({ phase }) => phase === 'decode').map(decodeCell),
    aside: {},
  })
  const gpu = {
    name: hardware.gpu,
    memoryMiB: (hardware.vramGb / hardware.gpuCount) * 1024,
    driver: null,
  }
  const gpus = Array.from({ length: hardware.gpuCount }, () => gpu)
  const host = { cpu: null, cores: null, memoryMiB: null, os: hardware.os }
  return resultSchema.parse({ ...result, hardware: { gpus, host } })
}

function prefillRow({ contextK, status, totalTokPerS, ttftMs, completedRequests }: SeedRow): ResultPrefill {
  const sample = { promptTokens: null, cachedTokens: null, ttftMs: ttftMs ?? 0 }
  return {
    contextTokens: contextK * 1024,
    status,
    limit: null,
    limits: [],
    reasons: [],
    promptTokens: null,
    ttftMs,
    tokensPerSecond: totalTokPerS,
    netTokensPerSecond: null,
    hostTokenizeMs: null,
    samples: Array.from({ length: completedRequests ?? 0 }, () => sample),
  }
}

function decodeCell(row: SeedRow): ResultCell {
  const { contextK, concurrency, status } = row
  const place = { contextTokens: contextK * 1024, concurrency, status }
  if (row.totalTokPerS === null || row.completedRequests === null) return importedCell(place)
  const median = (p50: number | null) => ({ ...emptyDistribution, p50 })
  return importedCell({
    ...place,
    totalTokensPerSecond: totalOf(row.totalTokPerS),
    perRequestTokensPerSecond: { n: 0, p50: row.perRequestTokPerS, p10: null },
    ttftMs: {
      headline: row.ttftMs,
      source: 'all',
      steady: emptyDistribution,
      launch: emptyDistribution,
      all: median(row.ttftMs),
    },
    itlMs: median(row.itlMs),
    active: row.averageActiveRequests === null ? null : { mean: row.averageActiveRequests },
    requests: { started: null, completed: row.completedRequests, cutOff: null, failed: null, stalled: null },
    outputTokens: row.outputTokens,
    windowSeconds: row.measuredForS,
  })
}
