/** The one status of a cell that came to its end; `invalid` was measured and must not be compared. */
export type CellStatus =
  | 'valid'
  | 'requests-queued'
  | 'over-capacity'
  | 'invalid'
  | 'failed'
  | 'skipped'
  | 'not-run'

/** Why a cell has its status, or what a reader should know of it, each with its numbers. */
export type Reason =
  | {
      readonly kind: 'requests-queued'
      readonly queuedShare: number | null
      readonly meanInFlight: number | null
      readonly wanted: number
    }
  | { readonly kind: 'foreign-load'; readonly detail: 'not-drained'; readonly running: number | null }
  /** Others' requests ran beside ours inside the window: means over the samples that show it. */
  | {
      readonly kind: 'foreign-load'
      readonly detail: 'in-window'
      readonly running: number
      readonly ours: number
      readonly seconds: number
    }
  | {
      readonly kind: 'client-limited' | 'client-busy'
      readonly loopDelayP99Ms: number | null
      readonly loopUtilisation: number | null
    }
  /** The server made or read more tokens than those of our requests. */
  | {
      readonly kind: 'foreign-load'
      readonly detail: 'tokens'
      readonly agreement: number
      readonly tolerance: number
    }
  /** The server made fewer tokens than we got, which cannot be; or not those that estimates of ours say. */
  | { readonly kind: 'accounting-mismatch'; readonly agreement: number; readonly tolerance: number }
  | { readonly kind: 'unsteady'; readonly firstMs: number; readonly lastMs: number }
  | {
      readonly kind: 'streams-stalled'
      readonly streams: number
      readonly of: number
      readonly longestMs: number
    }
  | { readonly kind: 'retracted'; readonly retractions: number }
  | {
      readonly kind: 'requests-failed'
      readonly failed: number
      readonly started: number
      readonly example: string
    }
  | { readonly kind: 'no-tokens' }
  | { readonly kind: 'tokens-estimated'; readonly counting: 'final-usage' | 'chunks' }
  | { readonly kind: 'kv-tight'; readonly needed: number; readonly available: number }
  /** A prompt that should have been cold; the mean of several where only counters tell. */
  | { readonly kind: 'cache-hit'; readonly cachedTokens: number; readonly promptTokens: number | null }
  /** Prompts that should have been cached and were computed. */
  | {
      readonly kind: 'cache-cold'
      readonly detail: 'requests'
      readonly requests: number
      readonly of: number
      readonly mostTokens: number
      readonly limitTokens: number
    }
  | {
      readonly kind: 'cache-cold'
      readonly detail: 'average'
      readonly requests: number
      readonly meanTokens: number
      readonly limitTokens: number
    }
  | { readonly kind: 'few-samples'; readonly n: number }
  | { readonly kind: 'prompt-length-unknown' }
  /** Chunks that came with the one before them, as a share of all. */
  | { readonly kind: 'chunks-together'; readonly share: number }
  /** Answers that ended before the length that was asked for: means over these, tokens. */
  | {
      readonly kind: 'ended-early'
      readonly requests: number
      readonly of: number
      readonly meanTokens: number
      readonly askedTokens: number
    }
  /** Answers that repeated themselves exactly; the shortest piece, and how one begins. */
  | {
      readonly kind: 'output-loop'
      readonly requests: number
      readonly of: number
      readonly periodChars: number
      readonly example: string
    }
  | { readonly kind: 'failed'; readonly message: string }
  /** The cell was measured once more; what it was before. */
  | {
      readonly kind: 'retried'
      readonly status: CellStatus
      readonly kinds: readonly Reason['kind'][]
    }
  /** One of several passes failed; the others stand. */
  | { readonly kind: 'pass-failed'; readonly message: string }

/** What is made of a cell: one status, and any number of reasons. */
export type Verdict = { readonly status: CellStatus; readonly reasons: readonly Reason[] }
