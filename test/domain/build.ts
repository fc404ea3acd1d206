import type { CellPass } from '../../src/domain/cell-summary.ts'
import type { RequestFailure } from '../../src/domain/failure.ts'
import type { GpuSample } from '../../src/domain/hardware-sample.ts'
import type { LoadTick, Window } from '../../src/domain/load-record.ts'
import type { RequestTrace, WindowShare } from '../../src/domain/request-trace.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import { type ServerFacts, type ServerFeatures, unknownLimits } from '../../src/domain/server-facts.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { scriptedOptions } from '../support/scripted-run.ts'

/** Small values with one thing said; whatever a test does not say is at rest. */

export const options: RunOptions = { ...scriptedOptions, concurrency: [1] }

export const bare: ServerFeatures = {
  metrics: false,
  loads: false,
  realtimeCounters: false,
  continuousUsage: null,
  abort: false,
  tokenize: false,
}

export function server(features: Partial<ServerFeatures> = {}, limits = unknownLimits): ServerFacts {
  return {
    url: 'http://127.0.0.1:30000',
    engine: {
      name: 'sglang',
      version: null,
      quantization: null,
      backend: null,
      repository: null,
      build: null,
      commit: null,
    },
    model: { id: 'a-model', path: null, revision: null },
    limits,
    launch: { command: null, source: null, settings: {} },
    features: { ...bare, ...features },
  }
}

export const refused: RequestFailure = { kind: 'connect', message: 'ECONNREFUSED' }

export function trace(change: Partial<RequestTrace> = {}): RequestTrace {
  return {
    rid: 'r',
    purpose: 'steady',
    stream: 0,
    maxTokens: 100,
    promptChars: 1000,
    writtenAt: 0,
    firstTokenAt: null,
    lastTokenAt: null,
    endedAt: 0,
    promptTokens: null,
    cachedTokens: null,
    outputTokens: 0,
    counting: 'continuous-usage',
    loop: null,
    outcome: { kind: 'completed' },
    window: null,
    ...change,
  }
}

export function failed(failure: RequestFailure, change: Partial<RequestTrace> = {}): RequestTrace {
  return trace({ outcome: { kind: 'failed', failure }, ...change })
}

export function share(change: Partial<WindowShare> = {}): WindowShare {
  return {
    firstAt: 0,
    lastAt: 0,
    chunks: 1,
    tokens: 1,
    firstChunkTokens: 1,
    longestGapMs: 0,
    tokensBefore: 0,
    ...change,
  }
}

export function tick(change: Partial<LoadTick> = {}): LoadTick {
  return {
    at: 0,
    spanMs: 200,
    tokens: 0,
    chunks: 0,
    started: 0,
    active: 0,
    waiting: 0,
    ttftMs: [],
    ended: [],
    ...change,
  }
}

export function sample(change: Partial<ServerSample> = {}): ServerSample {
  return {
    at: 0,
    tookMs: 4,
    running: null,
    queued: null,
    fresh: true,
    kvUsedTokens: null,
    kvCapacityTokens: null,
    kvCacheUsage: null,
    stateSlotUsage: null,
    realtimeDecodeTokens: null,
    countsFirstTokens: false,
    realtimePrefillTokens: null,
    realtimeCachedTokens: null,
    generationTokensPerSecond: null,
    retractions: null,
    acceptLength: null,
    ranks: null,
    missed: [],
    ...change,
  }
}

export function gpuSample(change: Partial<GpuSample> = {}): GpuSample {
  return {
    index: 0,
    utilisation: null,
    memoryUsedMiB: null,
    powerW: null,
    temperatureC: null,
    clockMHz: null,
    throttle: null,
    ...change,
  }
}

export const missedMetrics = [{ source: 'metrics', message: 'timed out' }] as const

/** A window of 10 s in slices of 1 s, at 10,000..20,000 ms. */
export const tenSeconds: Window = { from: 10_000, to: 20_000, sliceMs: 1000 }

export function pass(change: Partial<CellPass['counts']> & Partial<Omit<CellPass, 'counts'>> = {}): CellPass {
  const { traces = [], samples = [], hardwareSamples = [], ...counts } = change
  return {
    traces,
    samples,
    hardwareSamples,
    counts: {
      window: tenSeconds,
      sliceTokens: Array.from({ length: 10 }, () => 10),
      gaps: [],
      // 10 tokens a second, as the slices have them.
      binTokens: Array.from({ length: 500 }, () => 0.2),
      gapThirds: [],
      client: { loopDelayP99Ms: null, loopUtilisation: null, workers: 1 },
      ...counts,
    },
  }
}
