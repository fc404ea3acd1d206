import type { ServerFacts } from './server-facts.ts'

/** Something of an inference server that its launch decides. */
export type Knob =
  | 'running-requests'
  | 'context'
  | 'kv-memory'
  | 'kv-tokens'
  | 'kv-dtype'
  | 'state-slots'
  | 'prefill-chunk'
  | 'mixed-chunk'
  | 'graph-batch'
  | 'graph-off'
  | 'draft-tokens'
  | 'draft-steps'
  | 'metrics'

/** A launch flag with what the server says about it. */
export type LaunchFlag = {
  readonly flag: string
  /** As the server tells it; `null`: it was not set; absent: the server does not tell. */
  readonly setting?: string | null
}

/** Flag and the name of the setting that tells it. */
type Names = readonly [flag: string, setting: string]

const sglang: Readonly<Record<Knob, Names>> = {
  'running-requests': ['--max-running-requests', 'max_running_requests'],
  context: ['--context-length', 'context_length'],
  'kv-memory': ['--mem-fraction-static', 'mem_fraction_static'],
  'kv-tokens': ['--max-total-tokens', 'max_total_tokens'],
  'kv-dtype': ['--kv-cache-dtype', 'kv_cache_dtype'],
  'state-slots': ['--max-mamba-cache-size', 'max_mamba_cache_size'],
  'prefill-chunk': ['--chunked-prefill-size', 'chunked_prefill_size'],
  'mixed-chunk': ['--enable-mixed-chunk', 'enable_mixed_chunk'],
  'graph-batch': ['--cuda-graph-max-bs', 'cuda_graph_max_bs'],
  'graph-off': ['--disable-cuda-graph', 'disable_cuda_graph'],
  'draft-tokens': ['--speculative-num-draft-tokens', 'speculative_num_draft_tokens'],
  'draft-steps': ['--speculative-num-steps', 'speculative_num_steps'],
  metrics: ['--enable-metrics', 'enable_metrics'],
}

const vllm: Readonly<Partial<Record<Knob, Names>>> = {
  'running-requests': ['--max-num-seqs', 'max_num_seqs'],
  context: ['--max-model-len', 'max_model_len'],
  'kv-memory': ['--gpu-memory-utilization', 'gpu_memory_utilization'],
  'kv-dtype': ['--kv-cache-dtype', 'cache_dtype'],
  'prefill-chunk': ['--max-num-batched-tokens', 'max_num_batched_tokens'],
  'graph-off': ['--enforce-eager', 'enforce_eager'],
  'draft-tokens': ['--speculative-config', 'speculative_config'],
}

const engines: Readonly<Record<string, Readonly<Partial<Record<Knob, Names>>>>> = { sglang, vllm }

/** The flags that decide these, in the engine's own names; none for engines that are not known. */
export function launchFlags(server: ServerFacts, knobs: readonly Knob[]): readonly LaunchFlag[] {
  return knobs.flatMap(knob => {
    const names = engines[server.engine.name]?.[knob]
    if (names === undefined) return []
    const [flag, key] = names
    const setting = server.launch.settings[key]
    return [setting === undefined ? { flag } : { flag, setting: setting === null ? null : String(setting) }]
  })
}

/** A setting of these names that is a number; `null`: not told, or not set. */
export function numberSetting({ launch }: ServerFacts, name: string): number | null {
  const value = Number(launch.settings[name] ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}
