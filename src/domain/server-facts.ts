/** What is known about the inference server before the run. `null`: the server does not tell. */
export type ServerFacts = {
  readonly url: string
  readonly engine: EngineFacts
  readonly model: { readonly id: string; readonly path: string | null; readonly revision: string | null }
  readonly limits: ServerLimits
  readonly launch: Launch
  readonly features: ServerFeatures
}

/** How the server was started. Secrets are already removed. */
export type Launch = {
  /** One line for a shell. */
  readonly command: string | null
  /** The server's process, a command rebuilt from its settings, or the operator's word; `null` without a command. */
  readonly source: 'process' | 'settings' | 'flag' | null
  /** The server's own settings as it tells them. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The inference engine, as it names itself. */
export type EngineFacts = {
  readonly name: string
  readonly version: string | null
  readonly quantization: string | null
  readonly backend: string | null
  /** Where engines of this name are developed. */
  readonly repository: string | null
  readonly build: string | null
  readonly commit: string | null
}

/** Limits for one request (context) and for the server; KV cache and running requests are for one data-parallel rank. */
export type ServerLimits = {
  readonly contextTokens: number | null
  readonly kvCacheTokens: number | null
  readonly maxRunningRequests: number | null
  readonly pageSize: number | null
  readonly dataParallelRanks: number
  /** Draft tokens that a speculative step may hold in the KV cache beside the accepted ones. */
  readonly draftTokens: number
}

/** What the server offers to whoever measures it. */
export type ServerFeatures = {
  readonly metrics: boolean
  readonly loads: boolean
  readonly realtimeCounters: boolean
  /** `null` until the first stream has shown it. */
  readonly continuousUsage: boolean | null
  readonly abort: boolean
  readonly tokenize: boolean
}

/** Of a server that tells none: one rank, no speculation. */
export const unknownLimits: ServerLimits = {
  contextTokens: null,
  kvCacheTokens: null,
  maxRunningRequests: null,
  pageSize: null,
  dataParallelRanks: 1,
  draftTokens: 0,
}
