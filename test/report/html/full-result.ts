import { distribution } from '../../../src/domain/statistics.ts'
import { type Figures, noFigures } from '../../../src/result/build-result.ts'
import type { ResultCell, ResultPrefill, RunResult } from '../../../src/result/schema.ts'
import { seededRandom } from '../../../src/simulator/random.ts'
import { sampleResult } from '../../support/sample-result.ts'

const contexts = [8, 16, 32, 64, 128, 256, 512, 768, 1019].map(thousands => thousands * 1024)
const concurrency = [1, 2, 4, 8, 16, 32, 64, 128]

export type FullOptions = {
  readonly seed: number
  /** Everything faster by this factor. */
  readonly speed: number
  /** Cells beyond this many tokens do not fit. */
  readonly kvCacheTokens: number
}

/** A made-up result of a whole matrix, with series of 30 points: numbers of a plausible size, none of them measured. */
export function fullResult({ seed, speed, kvCacheTokens }: FullOptions): RunResult {
  const random = seededRandom(seed)
  const around = (value: number, share: number) => value * (1 + share * (2 * random() - 1))
  const base = sampleResult()
  const cell = (contextTokens: number, streams: number): ResultCell => {
    const place = { contextTokens, concurrency: streams, reasons: [], scalingEfficiency: null, partial: null }
    const needed = streams * (contextTokens + 4096)
    if (needed > kvCacheTokens) {
      const limit = { kind: 'kv-cache', needed, available: kvCacheTokens } as const
      return { ...noFigures, ...place, status: 'over-capacity', limit, limits: [limit] }
    }
    const isQueued = streams >= 32
    return {
      ...noFigures,
      ...place,
      ...measured(contextTokens, streams),
      status: isQueued ? 'requests-queued' : 'valid',
      limit: null,
      limits: [],
      reasons: isQueued
        ? [{ kind: 'requests-queued', queuedShare: 0.9, meanInFlight: 31.6, wanted: streams }]
        : [],
    }
  }
  const measured = (contextTokens: number, streams: number): Partial<Figures> => {
    const single = (360 * speed) / (1 + contextTokens / 600_000)
    const total = around((single * streams) / (1 + 0.12 * (streams - 1)), 0.02)
    const ttftMs = 60 + contextTokens * 0.0037 + streams * 12
    const spread = (value: number, n: number) =>
      distribution(Array.from({ length: n }, () => around(value, 0.3)))
    const series = (value: number) => Array.from({ length: 30 }, () => around(value, 0.06))
    return {
      windowSeconds: 30,
      outputTokens: Math.round(total * 30),
      promptTokens: { mean: contextTokens - 2, min: contextTokens - 4, max: contextTokens },
      totalTokensPerSecond: {
        mean: total,
        ci95: total * 0.05,
        batchMeans: { ci95: total * 0.02, n: 15 },
        requestLevel: { ci95: total * 0.05, n: 14 },
      },
      perStreamTokensPerSecond: total / streams,
      perRequestTokensPerSecond: { n: 14, p50: (total / streams) * 1.05, p10: (total / streams) * 0.9 },
      stepsPerSecond: total / streams / 3.9,
      stepMs: (3900 * streams) / total,
      tokensPerChunk: 3.9,
      stallFraction: 0.004,
      meanSequenceTokens: contextTokens + 2100,
      ttftMs: {
        headline: ttftMs,
        source: 'steady',
        steady: spread(ttftMs, 30),
        launch: spread(ttftMs, streams),
      },
      itlMs: spread((1000 * streams) / total, 20),
      interChunkMs: spread((3900 * streams) / total, 200),
      active: { mean: streams * 0.99 },
      requests: {
        started: 2 * streams,
        completed: streams,
        cutOff: streams,
        failed: 0,
        stalled: 0,
      },
      server: {
        running: { mean: Math.min(streams, 29), max: Math.min(streams, 29) },
        queued: { mean: Math.max(0, streams - 29), max: Math.max(0, streams - 29), share: 0.5 },
        kvCacheUsage: { mean: 0.4, max: 0.5 },
        stateSlotUsage: { mean: 0.7, max: 0.8 },
        tokensPerSecond: total * 1.001,
        agreement: 1.001,
        agreementTolerance: 0.013,
        acceptLength: 3.9,
        retractions: 0,
      },
      client: { loopDelayP99Ms: 1.8, loopUtilisation: 0.03, workers: 1 },
      hardware: {
        powerW: { mean: 512, max: 590 },
        utilisation: { mean: 0.97 },
        temperatureC: { max: 71 },
        clockMHz: { mean: 1785 },
        throttle: [{ reason: 'power-cap', share: 0.2 }],
        tokensPerJoule: total / 512,
      },
      series: {
        secondsPerPoint: 1,
        tokensPerSecond: series(total),
        ttftMs: series(ttftMs).map((value, index) => (index % 3 === 0 ? value : null)),
        running: series(Math.min(streams, 29)),
        queued: series(Math.max(0, streams - 29)),
        kvCacheUsage: series(0.4),
      },
    }
  }
  const prefill = (contextTokens: number): ResultPrefill => {
    const ttftMs = around(60 + contextTokens / 30 / speed, 0.03)
    return {
      contextTokens,
      status: 'valid',
      limit: null,
      limits: [],
      reasons: [],
      promptTokens: contextTokens,
      ttftMs,
      tokensPerSecond: (1000 * contextTokens) / ttftMs,
      netTokensPerSecond: (1000 * contextTokens) / (ttftMs * 0.8),
      hostTokenizeMs: contextTokens * 0.0037,
      samples: [{ promptTokens: contextTokens, cachedTokens: 0, ttftMs }],
    }
  }
  return {
    ...base,
    run: { ...base.run, options: { ...base.run.options, contexts, concurrency } },
    hardware: {
      gpus: [{ name: 'NVIDIA H200', memoryMiB: 143_771, driver: '575.57.08' }],
      host: { cpu: 'AMD EPYC', cores: 64, memoryMiB: 515_072, os: 'linux' },
    },
    prefill: contexts.map(prefill),
    decode: contexts.flatMap(context => concurrency.map(streams => cell(context, streams))),
  }
}
