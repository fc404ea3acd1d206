/** Settings that a launch would leave out because they say what every launch says. */
const defaults: Readonly<Record<string, unknown>> = {
  dtype: 'auto',
  kv_cache_dtype: 'auto',
  load_format: 'auto',
  moe_runner_backend: 'auto',
  mamba_scheduler_strategy: 'auto',
  pp_size: 1,
  dp_size: 1,
  ep_size: 1,
  nnodes: 1,
  page_size: 1,
  stream_interval: 1,
  max_prefill_tokens: 16_384,
  schedule_policy: 'fcfs',
  schedule_conservativeness: 1,
  disaggregation_mode: 'null',
}

/** Settings that shape what is measured, in the order of a launch; not paths, ports of peers, or logging. */
const names = [
  'served_model_name',
  'revision',
  'trust_remote_code',
  'tp_size',
  'pp_size',
  'dp_size',
  'ep_size',
  'nnodes',
  'enable_dp_attention',
  'dtype',
  'quantization',
  'kv_cache_dtype',
  'load_format',
  'context_length',
  'mem_fraction_static',
  'max_running_requests',
  'max_queued_requests',
  'max_total_tokens',
  'chunked_prefill_size',
  'max_prefill_tokens',
  'page_size',
  'schedule_policy',
  'schedule_conservativeness',
  'disable_radix_cache',
  'disable_overlap_schedule',
  'disable_cuda_graph',
  'cuda_graph_max_bs',
  'stream_interval',
  'attention_backend',
  'prefill_attention_backend',
  'decode_attention_backend',
  'linear_attn_prefill_backend',
  'linear_attn_decode_backend',
  'moe_runner_backend',
  'mamba_scheduler_strategy',
  'enable_flashinfer_allreduce_fusion',
  'speculative_algorithm',
  'speculative_draft_model_path',
  'speculative_num_steps',
  'speculative_eagle_topk',
  'speculative_num_draft_tokens',
  'speculative_dflash_block_size',
  'speculative_draft_attention_backend',
  'disaggregation_mode',
  'enable_metrics',
  'enable_cache_report',
  'reasoning_parser',
  'tool_call_parser',
  'host',
  'port',
  'api_key',
] as const

/**
 * A command that launches SGLang with the settings of /server_info; `null` without a model path. What the launch itself
 * said and what the server chose look the same there, so that it may spell out defaults. May hold secrets.
 */
export function sglangLaunch(settings: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { model_path: model } = settings
  if (typeof model !== 'string') return null
  const flags = names.flatMap(name => {
    const value = settings[name]
    if (value === null || value === undefined || value === false || value === defaults[name]) return []
    const flag = `--${name.replace(/^(tp|pp|dp|ep)_size$/, '$1').replaceAll('_', '-')}`
    if (value === true) return [flag]
    return typeof value === 'string' || typeof value === 'number' ? [flag, String(value)] : []
  })
  return ['python', '-m', 'sglang.launch_server', '--model-path', model, ...flags]
}
