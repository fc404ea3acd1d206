/** A server to imitate: the model, its limits and how long its work takes (durations at speed 1). */
export type Profile = {
  readonly name: string
  readonly model: {
    readonly path: string
    readonly servedName: string
    readonly architecture: string
  }
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
  /** batchMs + Σ over requests (tokenMs × new + pairMs × (new² + 2 × new × cached)). */
  readonly prefill: { readonly batchMs: number; readonly tokenMs: number; readonly pairMs: number }
  /** fixedMs + streamMs × streams ^ streamExponent + contextMs × tokens held by the batch. */
  readonly decode: {
    readonly fixedMs: number
    readonly streamMs: number
    readonly streamExponent: number
    readonly contextMs: number
  }
  /** Standard deviation of a step's duration, as a share of it. */
  readonly jitter: number
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
  /** Chance that a drafted token is accepted when those before it were. */
  readonly acceptProbability: number
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

/** Requests that can run at once: the launch flag or the state slots, whichever is less. */
export function effectiveMaxRunning({ maxRunningRequests, state }: Profile['limits']): number {
  return state === null
    ? maxRunningRequests
    : Math.min(maxRunningRequests, Math.floor(state.total / state.reservedPerRequest))
}
