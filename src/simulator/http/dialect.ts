/** How a version of SGLang differs from others to its clients. */
export type Dialect = {
  readonly version: string
  /** Place in the list of dialects: which metrics there are. */
  readonly generation: 0 | 1 | 2
  /** Fields without a value are sent as null instead of left out. */
  readonly nullFields: boolean
  /** `continuous_usage_stats` is known; else it is ignored. */
  readonly continuousUsage: boolean
  /** What is wrong with a streamed request comes as HTTP status; else as 200 and an error event. */
  readonly refusesBeforeStream: boolean
  /** Prompt and output together may be as long as the context; else they must be shorter. */
  readonly fillsContext: boolean
  /** Pages that it does not have yet. */
  readonly missing: readonly string[]
  readonly loadsAggregate: boolean
  readonly flushWaits: boolean
  readonly abortsAll: boolean
  readonly takesKeyHeader: boolean
  /** How long the gauges of a server that fell idle stay those of its last step. */
  readonly staleGaugesMs: number
  /** gen_throughput keeps its last value for as long as the server is idle. */
  readonly stickyThroughput: boolean
}

/** Oldest first. */
export const dialects = {
  'v0.4': {
    version: '0.4.6.post5+simulated',
    generation: 0,
    nullFields: true,
    continuousUsage: false,
    refusesBeforeStream: false,
    fillsContext: false,
    missing: [
      '/server_info',
      '/model_info',
      '/v1/loads',
      '/tokenize',
      '/v1/tokenize',
      '/detokenize',
      '/v1/detokenize',
    ],
    loadsAggregate: false,
    flushWaits: false,
    abortsAll: false,
    takesKeyHeader: false,
    staleGaugesMs: 30_000,
    stickyThroughput: true,
  },
  'v0.5.9': {
    version: '0.5.9+simulated',
    generation: 1,
    nullFields: true,
    continuousUsage: true,
    refusesBeforeStream: false,
    fillsContext: true,
    missing: [],
    loadsAggregate: true,
    flushWaits: false,
    abortsAll: true,
    takesKeyHeader: false,
    staleGaugesMs: 30_000,
    stickyThroughput: false,
  },
  'v0.5.20': {
    version: '0.5.20+simulated',
    generation: 2,
    nullFields: false,
    continuousUsage: true,
    refusesBeforeStream: true,
    fillsContext: true,
    missing: [],
    loadsAggregate: false,
    flushWaits: true,
    abortsAll: true,
    takesKeyHeader: true,
    staleGaugesMs: 0,
    stickyThroughput: false,
  },
} as const satisfies { readonly [name: string]: Dialect }

/** A version of SGLang that can be imitated. */
export type DialectName = keyof typeof dialects

/** Whether there is a dialect of that name. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}
