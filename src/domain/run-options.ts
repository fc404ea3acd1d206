/** Everything that decides what a run measures and how. All lengths in tokens, all times in seconds. */
export type RunOptions = {
  /** `null`: powers of two from 8K to the server's limit. */
  readonly contexts: readonly number[] | null
  readonly concurrency: readonly number[]
  /** `null`: the decode ladder and the full limit. */
  readonly prefillContexts: readonly number[] | null
  readonly phases: 'both' | 'prefill' | 'decode'
  /** Cold samples for each prefill row; `null`: 2 up to 64K (3 when they differ), 1 above. */
  readonly prefillSamples: number | null
  /** How often each cell is measured, spread over the run. */
  readonly repeat: number
  /** Measure cells that ended invalid or failed once more, after all others. */
  readonly retryInvalid: boolean
  /** Run cells that do not fit. */
  readonly force: boolean
  /** KV-cache size to plan with instead of the server's own. */
  readonly kvBudgetTokens: number | null
  readonly durationSeconds: number
  readonly maxOutputTokens: number
  readonly prompts: 'unique' | 'shared'
  readonly seed: number
  /** `null`: the server's own default. */
  readonly temperature: number | null
  readonly endpoint: 'chat' | 'completions'
  /** Fields added to each request, as they may be told: without secrets. */
  readonly extraBody: Readonly<Record<string, unknown>>
  readonly respectEos: boolean
  /** `null`: from the measured prefill speed, at least 30 s. */
  readonly readyTimeoutSeconds: number | null
  readonly drainTimeoutSeconds: number
  readonly stallTimeoutSeconds: number
  readonly slo: Slo
}

/** Limits that a request has to hold to count as good; `null`: not asked for. Milliseconds. */
export type Slo = { readonly ttftMs: number | null; readonly itlMs: number | null }
