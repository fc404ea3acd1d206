import { z } from 'zod'
import { known, sum } from '../domain/statistics.ts'
import { meanAcceptLength } from './accept-length.ts'
import { emptyReading, type Reading } from './engine-adapter.ts'

const figure = z.number().nullish().catch(null)

const rankLoad = z.looseObject({
  num_running_reqs: z.number(),
  num_waiting_reqs: figure,
  num_used_tokens: figure,
  max_total_num_tokens: figure,
  max_running_requests: figure,
  gen_throughput: figure,
  speculative: z.looseObject({ accept_length: figure }).nullish().catch(null),
})

/** One entry for each data-parallel rank. Some versions answer the bare list, some wrap an aggregate around it. */
const loadsAnswer = z.union([
  z.looseObject({ loads: z.array(rankLoad).min(1) }).transform(({ loads }) => loads),
  z.array(rankLoad).min(1),
])

export type RankLoad = z.infer<typeof rankLoad>

/** The ranks of an answer of /v1/loads; `null` when it is something else. */
export function parseLoads(answer: unknown): readonly RankLoad[] | null {
  const { data } = loadsAnswer.safeParse(answer)
  return data ?? null
}

/** What the ranks report together. */
export function readLoads(ranks: readonly RankLoad[]): Reading {
  const running = sum(ranks.map(rank => rank.num_running_reqs))
  const capacity = total(ranks.map(rank => rank.max_total_num_tokens))
  const used = total(ranks.map(rank => rank.num_used_tokens))
  // Without --enable-metrics some versions report no tokens, but a running request always holds some.
  const kvUsedTokens = used === 0 && running > 0 ? null : used
  return {
    ...emptyReading,
    running,
    queued: total(ranks.map(rank => rank.num_waiting_reqs)),
    fresh: true,
    kvUsedTokens,
    kvCapacityTokens: capacity,
    kvCacheUsage: kvUsedTokens === null || !capacity ? null : kvUsedTokens / capacity,
    generationTokensPerSecond: total(ranks.map(rank => rank.gen_throughput)),
    acceptLength: meanAcceptLength(
      ranks.map(rank => ({
        length: rank.speculative?.accept_length ?? null,
        running: rank.num_running_reqs,
      })),
    ),
  }
}

/** `null` when a rank does not tell. */
function total(values: readonly (number | null | undefined)[]): number | null {
  const numbers = known(values.map(value => value ?? null))
  return numbers.length === values.length ? sum(numbers) : null
}
