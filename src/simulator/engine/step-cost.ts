import { interpolate } from '../grid.ts'
import type { DecodeCost, PrefillCost } from '../profile.ts'

/** Duration of a prefill step, in ms; `cachedTokens` = those of the request that have their KV already. */
export function prefillMs(
  cost: PrefillCost,
  parts: Iterable<{
    readonly newTokens: number
    readonly cachedTokens: number
    readonly promptTokens: number
  }>,
): number {
  let ms = cost.batchMs
  for (const { newTokens, cachedTokens, promptTokens } of parts) {
    const smooth = cost.tokenMs * newTokens + cost.pairMs * newTokens * (newTokens + 2 * cachedTokens)
    ms +=
      smooth *
      (cost.residual === null ? 1 : interpolate(cost.residual.tokens, cost.residual.factors, promptTokens))
  }
  return ms
}

/** Duration of one decode step of the whole batch, in ms. */
export function decodeMs(cost: DecodeCost, streams: number, contextTokens: number): number {
  return cost.fixedMs + cost.streamMs * streams ** cost.streamExponent + cost.contextMs * contextTokens
}
