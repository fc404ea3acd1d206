import type { StateSlots } from '../profile.ts'
import type { KvPool } from './kv-pool.ts'
import type { PrefillPart } from './prefill-batch.ts'
import { type SimRequest, sequenceTokens } from './sim-request.ts'

/** The scheduler's state as SGLang shows it in gauges; its /metrics page holds them still between two publications. */
export type Gauges = {
  /** Requests in the decode batch: not those that a prefill step holds. */
  readonly running: number
  readonly queued: number
  readonly usedTokens: number
  readonly availableTokens: number
  readonly evictableTokens: number
  /** Tokens of all sequences in the decode batch. */
  readonly sequenceTokens: number
  readonly stateSlotsUsed: number
  /** Share of the prompt tokens of this prefill batch that were cached; 0 in decode. */
  readonly cacheHitRate: number
  readonly newTokenRatio: number
}

/** Reads the gauges off the scheduler; `prefill` = what the prefill step under way holds. */
export function readGauges(
  scheduler: {
    readonly running: readonly SimRequest[]
    readonly waiting: readonly SimRequest[]
    readonly pool: KvPool
    readonly newTokenRatio: { readonly value: number }
  },
  state: StateSlots | null,
  prefill: readonly PrefillPart[],
): Gauges {
  const { running, waiting, pool, newTokenRatio } = scheduler
  const hitTokens = prefill.reduce((sum, part) => sum + part.hitTokens, 0)
  const newTokens = prefill.reduce((sum, part) => sum + part.newTokens, 0)
  return {
    running: running.length,
    queued: waiting.length,
    usedTokens: pool.usedPages * pool.pageTokens,
    availableTokens: pool.freePages * pool.pageTokens,
    evictableTokens: pool.evictablePages * pool.pageTokens,
    sequenceTokens: running.reduce((sum, request) => sum + sequenceTokens(request), 0),
    stateSlotsUsed: (running.length + prefill.length) * (state?.heldPerRequest ?? 0),
    cacheHitRate: hitTokens === 0 ? 0 : hitTokens / (hitTokens + newTokens),
    newTokenRatio: newTokenRatio.value,
  }
}
