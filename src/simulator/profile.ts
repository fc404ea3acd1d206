import type { Grid } from './grid.ts'

/** A server to imitate: the model, its limits and how long its work takes (durations at speed 1). */
export type Profile = {
  readonly name: string
  /** Where the numbers come from, in sentences; a number that is in none of the lists is invented. */
  readonly about: {
    readonly source: string
    readonly published: readonly string[]
    readonly fitted: readonly string[]
    readonly assumed: readonly string[]
  }
  readonly model: {
    readonly path: string
    readonly servedName: string
    readonly architecture: string
  }
  readonly launch: Launch
  /** Of one data-parallel rank. */
  readonly limits: {
    readonly contextTokens: number
    readonly kvPoolTokens: number
    /** Tokens in a KV page: the grain of allocation and of prefix-cache hits. */
    readonly pageTokens: number
    /** Tokens of one prefill step; a longer prompt is continued in the next step. */
    readonly chunkedPrefillTokens: number
    /** Uncached prompt tokens that one prefill batch may take on. */
    readonly maxPrefillTokens: number
    /** What the launch flag says; `state` may allow less. */
    readonly maxRunningRequests: number
    /** Recurrent-state slots of a hybrid model; null for a pure attention model. */
    readonly state: StateSlots | null
  }
  /** Null: each decode step gives one token. */
  readonly speculative: Speculative | null
  readonly host: {
    /** Tokenizing one prompt token; one prompt is tokenized at a time. */
    readonly tokenizerUs: number
    /** Fixed cost of a request outside the GPU; many requests can be in it at once. */
    readonly requestMs: number
    /** How long a closed connection goes unnoticed. */
    readonly disconnectMs: number
  }
  readonly prefill: PrefillCost
  readonly decode: DecodeCost
  /** Standard deviation of a step's duration, as a share of it. */
  readonly jitter: number
}

/** What its launch flags say. */
export type Launch = {
  readonly tensorParallel: number
  /** Ranks with a scheduler and a KV pool each; the tokenizer is one for all. */
  readonly dataParallel: number
  /** Which rank a request goes to unless it names one. */
  readonly loadBalance: 'round-robin' | 'least-loaded'
  /** A step is decided on while the one before runs, so that what that one ends or lets in counts one step later. */
  readonly overlap: boolean
  /** Output tokens from one chunk of a stream to the next. */
  readonly streamInterval: number
}

/** Slots that hold the recurrent state of a hybrid model. */
export type StateSlots = {
  readonly total: number
  /** Slots set aside for each request: total / reserved is the real cap of running requests. */
  readonly reservedPerRequest: number
  /** Slots that a running request really holds, so that usage at the cap stays under 1. */
  readonly heldPerRequest: number
}

/** Speculative decoding: several tokens a step. */
export type Speculative = {
  readonly algorithm: string
  /** Most tokens that one step can give a stream, the bonus token among them. */
  readonly draftTokens: number
  /** Mean tokens of a stream in a step, the bonus token among them. */
  readonly acceptLength: number
  /**
   * What a measured table says beyond the smooth cost of a step: factors of `acceptLength` by prompt tokens (rows) and streams in
   * the batch (columns). Null: 1 everywhere.
   */
  readonly residual: Grid | null
  /**
   * How far, as a share, the typical stream of a large batch (8 and more; less below, none at 2) stays behind the batch's mean; a
   * third of the streams make up for it. 0: all alike.
   */
  readonly lag: number
}

/** A prefill step: batchMs + Σ over requests, residual × (tokenMs × new + pairMs × (new² + 2 × new × cached)). */
export type PrefillCost = {
  readonly batchMs: number
  readonly tokenMs: number
  readonly pairMs: number
  /** Factors by prompt tokens: what a measured table says beyond the smooth cost. Null: 1 everywhere. */
  readonly residual: { readonly tokens: readonly number[]; readonly factors: readonly number[] } | null
}

/** A decode step: fixedMs + streamMs × streams ^ streamExponent + contextMs × tokens held by the batch. */
export type DecodeCost = {
  readonly fixedMs: number
  readonly streamMs: number
  readonly streamExponent: number
  readonly contextMs: number
}

/** The same server with every duration divided by `speed`. */
export function atSpeed(profile: Profile, speed: number): Profile {
  const { host, prefill, decode } = profile
  return {
    ...profile,
    host: {
      tokenizerUs: host.tokenizerUs / speed,
      requestMs: host.requestMs / speed,
      disconnectMs: host.disconnectMs / speed,
    },
    prefill: {
      batchMs: prefill.batchMs / speed,
      tokenMs: prefill.tokenMs / speed,
      pairMs: prefill.pairMs / speed,
      residual: prefill.residual,
    },
    decode: {
      fixedMs: decode.fixedMs / speed,
      streamMs: decode.streamMs / speed,
      streamExponent: decode.streamExponent,
      contextMs: decode.contextMs / speed,
    },
  }
}

/** Tokens that one sequence can have: the context, or the whole KV pool where that is less. */
export function maxSequenceTokens({ contextTokens, kvPoolTokens }: Profile['limits']): number {
  return Math.min(contextTokens, kvPoolTokens)
}

/** Requests that can run at once on a rank: the launch flag or the state slots, whichever is less. */
export function effectiveMaxRunning({ maxRunningRequests, state }: Profile['limits']): number {
  return state === null
    ? maxRunningRequests
    : Math.min(maxRunningRequests, Math.floor(state.total / state.reservedPerRequest))
}
