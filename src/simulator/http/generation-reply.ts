import type { FinishReason, Output, SimRequest } from '../engine/sim-request.ts'
import type { Dialect } from './dialect.ts'
import type { GenerationRequest } from './generation-request.ts'
import type { TextSource } from './vocabulary.ts'

/** Turns a request's outputs into the answer that its client reads. */
export type GenerationReply = (output: Output) => void

/** What an answer is made of. */
export type Answer = {
  readonly asked: GenerationRequest
  readonly request: SimRequest
  readonly text: TextSource
  /** Unix time in seconds. */
  readonly created: number
  readonly dialect: Dialect
  /** Whether usage tells how much of the prompt was cached. */
  readonly cacheReport: boolean
}

/** The `usage` object; SGLang names cached tokens only when there are some. */
export function usageJson({ request, asked, cacheReport }: Answer, completionTokens: number): string {
  const { prompt, cachedTokens } = request
  const details = cacheReport && cachedTokens > 0 ? `{"cached_tokens":${cachedTokens}}` : 'null'
  const reasoningTokens = Math.min(asked.reasoningTokens, completionTokens)
  return (
    `{"prompt_tokens":${prompt.tokens},"total_tokens":${prompt.tokens + completionTokens}` +
    `,"completion_tokens":${completionTokens},"prompt_tokens_details":${details},"reasoning_tokens":${reasoningTokens}}`
  )
}

/** Id of the end-of-text token, where that ended the output. */
export function matchedStop(finish: FinishReason | null): number | null {
  return finish === 'stop' ? 151_645 : null
}
