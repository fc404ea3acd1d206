import { z } from 'zod'
import type { RankSample } from '../domain/server-sample.ts'
import { known, sum } from '../domain/statistics.ts'
import { meanAcceptLength } from './accept-length.ts'
import { emptyReading, type Reading } from './engine-adapter.ts'

const figure = z.number().nullish().catch(null)

const rankLoad = z.looseObject({
  dp_rank: figure,
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
  const kvUsedTokens = countedTokens(total(ranks.map(rank => rank.num_used_tokens)), running)
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
    ranks: ranks.length < 2 ? null : ranks.map(rankSample),
  }
}

function rankSample(rank: RankLoad, index: number): RankSample {
  return {
    name: String(rank.dp_rank ?? index),
    running: rank.num_running_reqs,
    queued: rank.num_waiting_reqs ?? null,
    kvUsedTokens: countedTokens(rank.num_used_tokens ?? null, rank.num_running_reqs),
    kvCapacityTokens: rank.max_total_num_tokens ?? null,
  }
}

/** Without --enable-metrics some versions report no tokens, but a running request always holds some. */
function countedTokens(used: number | null, running: number): number | null {
  return used === 0 && running > 0 ? null : used
}

/** `null` when a rank does not tell. */
function total(values: readonly (number | null | undefined)[]): number | null {
  const numbers = known(values.map(value => value ?? null))
  return numbers.length === values.length ? sum(numbers) : null
}
