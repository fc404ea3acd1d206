import { decodeLogInterval } from '../engine/scheduler.ts'
import { maxSequenceTokens } from '../profile.ts'
import type { EngineView } from './engine-view.ts'
import type { JsonObject } from './reply.ts'

/** What the launch said, besides the profile. */
export type LaunchFacts = {
  readonly port: number
  readonly secured: boolean
  readonly metrics: boolean
  readonly cacheReport: boolean
  readonly maxQueuedRequests: number | null
  readonly reasoningParser: string | null
}

/** The body of /server_info: launch arguments, scheduler info and an internal state for each rank, all in one flat object. */
export function serverInfo(view: EngineView, launch: LaunchFacts): JsonObject {
  const { engine, dialect, ranks } = view
  const { limits, speculative } = engine.profile
  const args = launchArguments(view, launch)
  return {
    ...args,
    status: 'ready',
    max_total_num_tokens: limits.kvPoolTokens,
    max_req_input_len: maxSequenceTokens(limits) - 1,
    internal_states: ranks.map(({ scheduler }) => ({
      ...args,
      // Keeps its last value when idle.
      last_gen_throughput: scheduler.decodeMeter.tokensPerSecond,
      memory_usage: { weight: 0, kvcache: 0, token_capacity: limits.kvPoolTokens, graph: 0 },
      // The state slots run out before; no field tells, as on the published server.
      ...(dialect.generation === 0
        ? {}
        : { effective_max_running_requests_per_dp: limits.maxRunningRequests }),
      ...(speculative === null ? {} : { avg_spec_accept_length: scheduler.decodeMeter.acceptLength }),
    })),
    version: dialect.version,
  }
}

function launchArguments({ engine, modelName, ranks }: EngineView, launch: LaunchFacts): JsonObject {
  const { model, limits, launch: flags, speculative } = engine.profile
  return {
    model_path: model.path,
    tokenizer_path: model.path,
    served_model_name: modelName,
    host: '127.0.0.1',
    port: launch.port,
    api_key: launch.secured ? '***' : null,
    // Null as after a launch without the flag: clients must ask /v1/models.
    context_length: null,
    dtype: 'auto',
    quantization: null,
    kv_cache_dtype: 'auto',
    tp_size: flags.tensorParallel,
    dp_size: ranks.length,
    pp_size: 1,
    ep_size: 1,
    enable_dp_attention: ranks.length > 1,
    mem_fraction_static: 0.857,
    chunked_prefill_size: limits.chunkedPrefillTokens,
    max_prefill_tokens: limits.maxPrefillTokens,
    max_running_requests: limits.maxRunningRequests * ranks.length,
    max_queued_requests: launch.maxQueuedRequests,
    max_total_tokens: null,
    page_size: limits.pageTokens,
    schedule_policy: 'fcfs',
    schedule_conservativeness: 1,
    disable_radix_cache: false,
    enable_metrics: launch.metrics,
    enable_cache_report: launch.cacheReport,
    disable_overlap_schedule: !flags.overlap,
    decode_log_interval: decodeLogInterval,
    stream_interval: flags.streamInterval,
    disaggregation_mode: 'null',
    reasoning_parser: launch.reasoningParser,
    tool_call_parser: null,
    speculative_algorithm: speculative?.algorithm ?? null,
    speculative_num_steps: speculative === null ? null : speculative.draftTokens - 1,
    speculative_eagle_topk: speculative === null ? null : 1,
    speculative_num_draft_tokens: speculative?.draftTokens ?? null,
    mamba_scheduler_strategy: limits.state === null ? 'auto' : 'extra_buffer',
  }
}
