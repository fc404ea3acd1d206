import type { Engine } from '../engine/engine.ts'
import { DECODE_LOG_INTERVAL } from '../engine/scheduler.ts'
import { maxSequenceTokens } from '../profile.ts'

const VERSION = '0.5.20+simulated'

/** The body of /v1/models. */
export function modelList({ profile }: Engine, created: number): object {
  const { model, limits } = profile
  const id = model.servedName
  return {
    object: 'list',
    data: [
      {
        id,
        object: 'model',
        created,
        owned_by: 'sglang',
        root: id,
        parent: null,
        max_model_len: limits.contextTokens,
      },
    ],
  }
}

/** The body of /model_info. */
export function modelInfo({ profile }: Engine): object {
  return {
    model_path: profile.model.path,
    tokenizer_path: profile.model.path,
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    has_image_understanding: false,
    has_audio_understanding: false,
    model_type: profile.model.architecture,
    architectures: [profile.model.architecture],
  }
}

/** The body of /server_info: launch arguments, scheduler info and one internal state, all in one flat object. */
export function serverInfo({ profile, scheduler }: Engine, host: { port: number; secured: boolean }): object {
  const { model, limits, speculative } = profile
  const args = {
    model_path: model.path,
    tokenizer_path: model.path,
    served_model_name: model.servedName,
    host: '127.0.0.1',
    port: host.port,
    api_key: host.secured ? '***' : null,
    // Null as after a launch without the flag: clients must ask /v1/models.
    context_length: null,
    dtype: 'auto',
    quantization: null,
    kv_cache_dtype: 'auto',
    tp_size: 1,
    dp_size: 1,
    pp_size: 1,
    ep_size: 1,
    enable_dp_attention: false,
    mem_fraction_static: 0.857,
    chunked_prefill_size: limits.chunkedPrefillTokens,
    max_prefill_tokens: limits.maxPrefillTokens,
    max_running_requests: limits.maxRunningRequests,
    max_queued_requests: null,
    max_total_tokens: null,
    page_size: limits.pageTokens,
    schedule_policy: 'fcfs',
    schedule_conservativeness: 1,
    disable_radix_cache: false,
    enable_metrics: true,
    enable_cache_report: true,
    decode_log_interval: DECODE_LOG_INTERVAL,
    stream_interval: 1,
    disaggregation_mode: 'null',
    reasoning_parser: null,
    tool_call_parser: null,
    speculative_algorithm: speculative?.algorithm ?? null,
    speculative_num_draft_tokens: speculative?.draftTokens ?? null,
    mamba_scheduler_strategy: limits.state === null ? 'auto' : 'extra_buffer',
  }
  return {
    ...args,
    status: 'ready',
    max_total_num_tokens: limits.kvPoolTokens,
    max_req_input_len: maxSequenceTokens(limits) - 1,
    internal_states: [
      {
        ...args,
        // Keeps its last value when idle.
        last_gen_throughput: scheduler.decodeMeter.tokensPerSecond,
        memory_usage: { weight: 0, kvcache: 0, token_capacity: limits.kvPoolTokens, graph: 0 },
        // The state slots run out before; no field tells, as on the published server.
        effective_max_running_requests_per_dp: limits.maxRunningRequests,
        ...(speculative === null ? {} : { avg_spec_accept_length: scheduler.decodeMeter.acceptLength }),
      },
    ],
    version: VERSION,
  }
}

/** The body of /v1/loads: unlike the gauges, as of now. */
export function loads({ profile, meters, scheduler }: Engine, timestamp: string): object {
  const { limits, speculative } = profile
  const now = scheduler.gauges()
  const waitingTokens = scheduler.waiting.reduce((sum, request) => sum + request.prompt.tokens, 0)
  const usage = now.usedTokens / limits.kvPoolTokens
  return {
    timestamp,
    version: VERSION,
    accelerator: 'simulated',
    num_accelerators: 1,
    loads: [
      {
        dp_rank: 0,
        num_running_reqs: now.running,
        num_waiting_reqs: now.queued,
        num_waiting_uncached_tokens: waitingTokens,
        num_used_tokens: now.usedTokens,
        num_total_tokens: now.usedTokens + waitingTokens,
        max_total_num_tokens: limits.kvPoolTokens,
        max_running_requests: limits.maxRunningRequests,
        token_usage: usage,
        gen_throughput: scheduler.published.tokensPerSecond,
        cache_hit_rate: scheduler.published.cacheHitRate,
        // Stuck at 0 in SGLang since April 2026.
        utilization: 0,
        memory: { weight_gb: 0, kv_cache_gb: 0, graph_gb: 0, token_capacity: limits.kvPoolTokens },
        ...(speculative === null
          ? {}
          : { speculative: { accept_length: scheduler.decodeMeter.acceptLength } }),
        disaggregation: { mode: 'null' },
        queues: { waiting: now.queued, grammar: 0, paused: 0, retracted: meters.retracted.requests },
      },
    ],
  }
}
