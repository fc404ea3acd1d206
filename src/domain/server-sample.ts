/**
 * One observation of the inference server in words that fit every engine, summed over its data-parallel ranks.
 * `null`: not told, or the scrape failed; `0`: the server said zero.
 */
export type ServerSample = {
  /** When the answer arrived, ms on the run's clock. */
  readonly at: number
  /** How long the slowest of the scrapes took, ms. */
  readonly tookMs: number
  readonly running: number | null
  readonly queued: number | null
  /** Whether `running` and `queued` describe now; SGLang's gauges may be up to 30 s old, `/v1/loads` is fresh. */
  readonly fresh: boolean
  readonly kvUsedTokens: number | null
  readonly kvCapacityTokens: number | null
  /** 0..1 over all ranks. */
  readonly kvCacheUsage: number | null
  /** 0..1 of the per-request state slots of hybrid models. */
  readonly stateSlotUsage: number | null
  /** Counters since the server's start, tokens. Those named `realtime` move with every step. */
  readonly realtimeDecodeTokens: number | null
  /** Whether that counter has the first token of each request, too: vLLM's has, SGLang's has only those of decode steps. */
  readonly countsFirstTokens: boolean
  readonly realtimePrefillTokens: number | null
  readonly realtimeCachedTokens: number | null
  /** The server's own rate gauge, tok/s: shown, never used for a figure. */
  readonly generationTokensPerSecond: number | null
  readonly retractions: number | null
  /** Tokens for each step of a speculative server, 1 without speculation. */
  readonly acceptLength: number | null
  /** The same for each data-parallel rank; `null`: there is one only, or the server does not tell them apart. */
  readonly ranks: readonly RankSample[] | null
  /** What should have answered and did not. */
  readonly missed: readonly MissedScrape[]
}

/** When the server most likely looked: in the middle between question and answer, ms on the run's clock. */
export function seenAt({ at, tookMs }: ServerSample): number {
  return at - tookMs / 2
}

/** One data-parallel rank at one look. */
export type RankSample = {
  /** As the server numbers it; with a router in front, the worker before it. */
  readonly name: string
  readonly running: number | null
  readonly queued: number | null
  readonly kvUsedTokens: number | null
  readonly kvCapacityTokens: number | null
}

/** A page that did not answer, or answered what cannot be read, and why. */
export type MissedScrape = { readonly source: 'metrics' | 'loads'; readonly message: string }
