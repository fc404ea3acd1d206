import type { Profile, Speculative } from '../profile.ts'
import type { Random } from '../random.ts'

/** Duration of a prefill step, in ms; `cachedTokens` = those of the request that have their KV already. */
export function prefillMs(
  cost: Profile['prefill'],
  parts: Iterable<{ readonly newTokens: number; readonly cachedTokens: number }>,
): number {
  let ms = cost.batchMs
  for (const { newTokens, cachedTokens } of parts)
    ms += cost.tokenMs * newTokens + cost.pairMs * newTokens * (newTokens + 2 * cachedTokens)
  return ms
}

/** Duration of one decode step of the whole batch, in ms. */
export function decodeMs(cost: Profile['decode'], streams: number, contextTokens: number): number {
  return cost.fixedMs + cost.streamMs * streams ** cost.streamExponent + cost.contextMs * contextTokens
}

/** Tokens of one stream in one step: the bonus token, and drafts as long as they are accepted. */
export function acceptedTokens(speculative: Speculative | null, random: Random): number {
  let tokens = 1
  if (speculative !== null)
    while (tokens < speculative.draftTokens && random() < speculative.acceptProbability) tokens++
  return tokens
}
