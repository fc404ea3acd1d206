import type { RunState } from './run-state.ts'
import { sum } from './statistics.ts'

/**
 * Whether the server may have given up prompts that it read earlier: the prompts and answers that it was given since
 * the run's start are more than its KV cache holds. An upper bound, since contexts of one stream share their beginning.
 * `false` where its size is unknown.
 */
export function mayBeEvicted({ run, server, warmedStreams, prefill, cells }: RunState): boolean {
  const pool = run?.options.kvBudgetTokens ?? server?.limits.kvCacheTokens ?? null
  if (pool === null || server === null) return false
  const warm = sum(Object.entries(warmedStreams).map(([context, streams]) => Number(context) * streams))
  const cold = sum(
    prefill.map(({ plan, summary }) => plan.contextTokens * (summary === null ? 0 : summary.samples.length)),
  )
  const answers = sum(
    cells.flatMap(({ passes }) => passes.flatMap(({ traces }) => traces.map(trace => trace.outputTokens))),
  )
  return warm + cold + answers > pool * server.limits.dataParallelRanks
}
