import type { KvPool } from './kv-pool.ts'
import type { SimRequest } from './sim-request.ts'

/** Whether every request can be given up to `stepTokens` more. */
export function canDecode(pool: KvPool, running: readonly SimRequest[], stepTokens: number): boolean {
  let missing = 0
  for (const { lease, kvTokens } of running) {
    const pages = Math.ceil((kvTokens + stepTokens) / pool.pageTokens)
    missing += Math.max(0, pages - lease.cachedPages - lease.ownPages)
  }
  return missing <= pool.freePages + pool.evictablePages
}

/**
 * Who goes back to the queue first: the fewest output tokens, among equals the longest prompt; with speculation, whose batches
 * SGLang can only cut at the end, the one that joined last.
 */
export function retractionVictim<T extends Pick<SimRequest, 'outputTokens' | 'prompt'>>(
  running: readonly T[],
  isSpeculative: boolean,
): T | undefined {
  if (isSpeculative) return running.at(-1)
  return running.toSorted((a, b) => a.outputTokens - b.outputTokens || b.prompt.tokens - a.prompt.tokens)[0]
}
