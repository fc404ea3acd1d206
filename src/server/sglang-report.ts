import { z } from 'zod'
import type { ServerLimits } from '../domain/server-facts.ts'
import { known } from '../domain/statistics.ts'
import { commitOf } from './commit.ts'
import type { EngineReport, Probes } from './engine-adapter.ts'
import type { ModelCard } from './model-list.ts'
import { sglangLaunch } from './sglang-launch.ts'
import { parseLoads } from './sglang-loads.ts'

const text = z.string().nullish().catch(null)
const count = z.number().int().positive().nullish().catch(null)

/** The answer of /server_info: launch settings, what the scheduler made of them, and one internal state for each rank. */
const serverInfo = z.looseObject({
  version: text,
  model_path: text,
  revision: text,
  quantization: text,
  attention_backend: text,
  context_length: count,
  max_total_num_tokens: count,
  max_req_input_len: count,
  max_running_requests: count,
  page_size: count,
  dp_size: count,
  speculative_algorithm: text,
  speculative_num_draft_tokens: count,
  internal_states: z
    .array(
      z.looseObject({
        effective_max_running_requests_per_dp: count,
        memory_usage: z.looseObject({ token_capacity: count }).nullish().catch(null),
      }),
    )
    .nullish()
    .catch(null),
})

type ServerInfo = z.infer<typeof serverInfo>

/** Whether it is SGLang's server info: vLLM has a page of the same name. */
export function isServerInfo(answer: unknown): boolean {
  const { data } = serverInfo.safeParse(answer)
  return typeof data?.model_path === 'string' && data.max_total_num_tokens !== undefined
}

/** What SGLang tells of itself; where it does not answer /server_info, the little that other pages know. */
export function sglangReport(probes: Probes, model: ModelCard): EngineReport {
  const info: ServerInfo = serverInfo.safeParse(probes.serverInfo).data ?? {}
  // The internal states repeat all settings for each rank.
  const { internal_states: _, ...settings } = info
  const version = info.version ?? null
  return {
    engine: {
      name: 'sglang',
      version,
      quantization: info.quantization ?? null,
      backend: info.attention_backend ?? null,
      repository: 'github.com/sgl-project/sglang',
      build: null,
      commit: commitOf(version),
    },
    model: { path: info.model_path ?? model.root ?? null, revision: info.revision ?? null },
    limits: limitsOf(info, probes, model),
    settings,
    launchWords: sglangLaunch(settings),
  }
}

function limitsOf(info: ServerInfo, probes: Probes, model: ModelCard): ServerLimits {
  const states = info.internal_states ?? []
  const loads = parseLoads(probes.loads) ?? []
  const ranks = info.dp_size ?? Math.max(1, loads.length)
  const longestInput = info.max_req_input_len ?? null
  const launchFlag = info.max_running_requests ?? null
  return {
    // `context_length` is null unless it was set by flag; the longest input leaves room for one token.
    contextTokens:
      model.max_model_len ?? info.context_length ?? (longestInput === null ? null : longestInput + 1),
    kvCacheTokens:
      info.max_total_num_tokens ??
      least(states.map(state => state.memory_usage?.token_capacity)) ??
      least(loads.map(rank => rank.max_total_num_tokens)),
    // The flag is shared by the ranks and may be more than the memory allows.
    maxRunningRequests:
      least(states.map(state => state.effective_max_running_requests_per_dp)) ??
      least(loads.map(rank => rank.max_running_requests)) ??
      (launchFlag === null ? null : Math.max(1, Math.floor(launchFlag / ranks))),
    pageSize: info.page_size ?? null,
    dataParallelRanks: ranks,
    draftTokens: info.speculative_algorithm ? (info.speculative_num_draft_tokens ?? 0) : 0,
  }
}

function least(values: readonly (number | null | undefined)[]): number | null {
  const numbers = known(values.map(value => value ?? null))
  return numbers.length === 0 ? null : Math.min(...numbers)
}
