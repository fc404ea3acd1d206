import type { Profile } from '../profile.ts'

/** Invented: slow and narrow enough that queueing, chunked prefill, eviction and a full KV pool can be watched. */
export const small: Profile = {
  name: 'small',
  about: {
    source:
      'Invented: slow and narrow enough that queueing, chunked prefill, eviction and a full KV pool can be watched.',
    published: [],
    fitted: [],
    assumed: [],
  },
  model: { path: 'simulated/small', servedName: 'small', architecture: 'Qwen3ForCausalLM' },
  launch: {
    tensorParallel: 1,
    dataParallel: 1,
    loadBalance: 'round-robin',
    overlap: true,
    streamInterval: 1,
  },
  limits: {
    contextTokens: 32_768,
    kvPoolTokens: 60_000,
    pageTokens: 16,
    chunkedPrefillTokens: 2048,
    maxPrefillTokens: 16_384,
    maxRunningRequests: 8,
    state: null,
  },
  speculative: null,
  host: { tokenizerUs: 2, requestMs: 20, disconnectMs: 1000 },
  prefill: { batchMs: 15, tokenMs: 0.12, pairMs: 1.5e-6, residual: null },
  decode: { fixedMs: 19, streamMs: 1, streamExponent: 0.8, contextMs: 5e-5 },
  jitter: 0.01,
}
