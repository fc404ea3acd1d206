/** What a server can lack. */
export type Feature =
  | 'metrics'
  | 'live-requests'
  | 'realtime-counters'
  | 'token-counts'
  | 'cache-report'
  | 'tokenizer'
  | 'abort'

const sglang: Readonly<Record<Feature, string>> = {
  metrics: 'start the server with --enable-metrics',
  'live-requests': 'update SGLang to 0.5.8 or later, which has /v1/loads',
  'realtime-counters': 'update SGLang to 0.5.7 or later, which counts tokens with every step',
  'token-counts': 'update SGLang to 0.5.5 or later, which knows continuous_usage_stats',
  'cache-report': 'start the server with --enable-cache-report',
  tokenizer: 'update SGLang to 0.5.3 or later, which has /tokenize',
  abort: 'let whatever stands before the server pass /abort_request on',
}

const vllm: Readonly<Record<Feature, string>> = {
  metrics: 'let whatever stands before the server pass /metrics on: vLLM always has it',
  'live-requests': 'let whatever stands before the server pass /metrics on: vLLM always has it',
  'realtime-counters': 'update vLLM to a version with vllm:generation_tokens_total',
  'token-counts': 'update vLLM to a version that knows continuous_usage_stats',
  'cache-report': 'start the server with --enable-prompt-tokens-details',
  tokenizer: 'let whatever stands before the server pass /tokenize on: vLLM always has it',
  abort: 'nothing: vLLM ends a request when its connection closes',
}

const others = 'nothing, unless the server is SGLang or vLLM behind a proxy: then give its own url'

/** How the feature comes about, in the engine's own words. */
export function advice(engine: string, feature: Feature): string {
  const known: Readonly<Record<string, Readonly<Record<Feature, string>>>> = { sglang, vllm }
  return known[engine]?.[feature] ?? others
}
