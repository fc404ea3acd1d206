import type { Meters } from './meters.ts'
import { finishReason, type Output, type SimRequest } from './sim-request.ts'

/** What all ranks share: the meters of the HTTP side, and where outputs go. */
export type HttpSide = { readonly meters: Meters; readonly emit: (output: Output) => void }

/**
 * Gives a request its tokens, and its client those that are due by the stream interval: at 1, k + 1, 2k + 1, … and at the end. Several
 * tokens a step can step over such a mark. Returns what ended the request, null while it goes on.
 */
export function giveTokens(
  request: SimRequest,
  tokens: number,
  at: number,
  http: HttpSide,
): Output['finish'] {
  request.outputTokens += tokens
  const finish = finishReason(request)
  const unsent = request.outputTokens - request.sentTokens
  const { streamInterval } = request
  const isDue = unsent > 0 && (streamInterval === 1 || request.outputTokens % streamInterval === 1)
  if (finish === null && !isDue) return null
  if (unsent > 0) {
    http.meters.tokensEmitted(request, unsent, at)
    request.sentTokens = request.outputTokens
    request.firstTokenAt ??= at
    request.lastTokenAt = at
  }
  http.emit({ request, at, tokens: unsent, finish })
  return finish
}
