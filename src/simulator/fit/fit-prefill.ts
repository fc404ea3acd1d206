import { prefillMs } from '../engine/step-cost.ts'
import type { PrefillCost, Profile } from '../profile.ts'
import { fitRelative } from './least-deviation.ts'
import type { MeasuredTable } from './measured-table.ts'

/**
 * Tokenizer and fixed cost of a request, from cached TTFT at concurrency 1: a line over the context. What the last page costs to
 * prefill (half a page, as a rule) is taken off. With fewer than two such cells the base's own.
 */
export function fitHost({ cells }: MeasuredTable, base: Profile): Profile['host'] {
  const cached = cells.flatMap(({ concurrency, contextTokens, launchTtftMs: ttftMs }) =>
    concurrency === 1 && ttftMs !== null && contextTokens > 0 ? [{ contextTokens, ttftMs }] : [],
  )
  if (cached.length < 2) return base.host
  const newTokens = Math.max(1, base.limits.pageTokens / 2)
  const [fixedMs = 0, tokenMs = 0] = fitRelative(
    cached.map(({ contextTokens }) => [1, contextTokens]),
    cached.map(({ contextTokens, ttftMs }) => {
      const part = { newTokens, cachedTokens: contextTokens - newTokens, promptTokens: contextTokens }
      return Math.max(ttftMs / 2, ttftMs - prefillMs(base.prefill, [part]))
    }),
  )
  return { ...base.host, requestMs: significant(fixedMs), tokenizerUs: significant(tokenMs * 1000) }
}

/** Prefill cost from cold TTFT less the host's part; the cost of a batch stays the base's. */
export function fitPrefill(
  { prefill }: MeasuredTable,
  { host, limits, prefill: base }: Profile,
): PrefillCost {
  if (prefill.length < 2) return base
  const steps = (tokens: number) => Math.ceil(tokens / limits.chunkedPrefillTokens)
  const netMs = prefill.map(({ promptTokens, ttftMs }) =>
    Math.max(
      ttftMs / 10,
      ttftMs - host.requestMs - (promptTokens * host.tokenizerUs) / 1000 - steps(promptTokens) * base.batchMs,
    ),
  )
  const [tokenMs = 0, pairMs = 0] = fitRelative(
    prefill.map(({ promptTokens }) => [promptTokens, promptTokens ** 2]),
    netMs,
  )
  const smooth = { batchMs: base.batchMs, tokenMs: significant(tokenMs), pairMs: significant(pairMs) }
  return {
    ...smooth,
    residual: {
      tokens: prefill.map(({ promptTokens }) => promptTokens),
      factors: prefill.map(({ promptTokens: tokens }, i) =>
        Number(((netMs[i] ?? 0) / (smooth.tokenMs * tokens + smooth.pairMs * tokens ** 2)).toFixed(3)),
      ),
    },
  }
}

/** Rounded to four digits that count. */
export function significant(value: number): number {
  return Number(value.toPrecision(4))
}
