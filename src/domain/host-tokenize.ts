import { isComparable } from './comparable.ts'
import type { CellState } from './run-state.ts'
import { mean, sum } from './statistics.ts'

type CachedPrompt = { readonly contextTokens: number; readonly tokens: number; readonly ttftMs: number }

/**
 * The host's work on a prompt that grows with its length (tokenizing above all), ms: what a line through the cached
 * TTFT at C = 1 against prompt tokens rises up to the prompt of this context. The rest, at length 0, is HTTP and one
 * step. `null` with fewer than two contexts, without one of this length, and when the line does not rise.
 */
export function hostTokenizeMs(contextTokens: number, cells: readonly CellState[]): number | null {
  const prompts = cells.flatMap(cachedPrompt)
  const own = prompts.find(prompt => prompt.contextTokens === contextTokens)
  const msPerToken = slope(prompts)
  return own === undefined || msPerToken === null || msPerToken <= 0 ? null : msPerToken * own.tokens
}

function cachedPrompt(cell: CellState): CachedPrompt[] {
  const { plan, summary } = cell
  const ttftMs = summary?.ttftMs.headline ?? null
  const tokens = summary?.promptTokens?.mean ?? null
  return plan.concurrency !== 1 || !isComparable(cell) || ttftMs === null || tokens === null
    ? []
    : [{ contextTokens: plan.contextTokens, tokens, ttftMs }]
}

/** Of the least-squares line; `null` when it has none. */
function slope(prompts: readonly CachedPrompt[]): number | null {
  const x = mean(prompts.map(({ tokens }) => tokens))
  const y = mean(prompts.map(({ ttftMs }) => ttftMs))
  if (x === null || y === null) return null
  const spread = sum(prompts.map(({ tokens }) => (tokens - x) ** 2))
  return spread === 0 ? null : sum(prompts.map(({ tokens, ttftMs }) => (tokens - x) * (ttftMs - y))) / spread
}
