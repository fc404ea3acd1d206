import type { EngineFacts, ServerLimits } from '../domain/server-facts.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import type { ModelCard } from './model-list.ts'
import type { Series } from './prometheus-text.ts'

export const scrapePaths = { metrics: '/metrics', loads: '/v1/loads' } as const

/** What the server answered when it was first asked; `undefined` or empty where it did not. JSON is not validated yet. */
export type Probes = {
  readonly models: readonly ModelCard[]
  readonly serverInfo: unknown
  readonly version: unknown
  readonly loads: unknown
  readonly metricsText: string
  readonly metrics: readonly Series[]
  readonly tokenize: boolean
}

/** What one look at the server brought; NaN is left out already. */
export type Scrape = { readonly metrics: readonly Series[] | null; readonly loads: unknown }

/** A sample without its circumstances. */
export type Reading = Omit<ServerSample, 'at' | 'tookMs' | 'missed'>

/** A reading of nothing, to be filled. */
export const emptyReading: Reading = {
  running: null,
  queued: null,
  fresh: false,
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
}

/** What an engine's own pages tell of it. */
export type EngineReport = {
  readonly engine: EngineFacts
  readonly model: { readonly path: string | null; readonly revision: string | null }
  readonly limits: ServerLimits
  /** May hold secrets. */
  readonly settings: Readonly<Record<string, unknown>>
  /** A command that would launch a server with these settings; `null` where they do not tell enough. */
  readonly launchWords: readonly string[] | null
}

/** All that tokgrid knows of one inference engine. Pure: it reads answers and asks nothing. */
export type EngineAdapter = {
  /** As `--engine` takes it and results show it. */
  readonly name: string
  /** Path that ends the request whose id is posted to it as `{rid}`; `null`: closing the connection is the only way. */
  readonly abort: string | null
  /** Names of the series on the metrics page that are this engine's; `null`: it has no such page. */
  readonly metricNames: RegExp | null
  /** Found in the metrics page where it has, or announces, the token counters that move with every step. */
  readonly liveCounters: RegExp | null
  recognises(probes: Probes): boolean
  report(probes: Probes, model: ModelCard): EngineReport
  /** A reading is `fresh` only when its running and queued requests are those of now. */
  read(scrape: Scrape, limits: ServerLimits): Reading
}
