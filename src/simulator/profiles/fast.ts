import type { Profile } from '../profile.ts'

/** Round numbers and no jitter: what a client should measure follows by hand. */
export const fast: Profile = {
  name: 'fast',
  about: { source: 'Invented: round numbers and no jitter.', published: [], fitted: [], assumed: [] },
  model: { path: 'simulated/fast', servedName: 'fast', architecture: 'LlamaForCausalLM' },
  launch: {
    tensorParallel: 1,
    dataParallel: 1,
    loadBalance: 'round-robin',
    overlap: false,
    streamInterval: 1,
  },
  limits: {
    contextTokens: 131_072,
    kvPoolTokens: 4_000_000,
    pageTokens: 64,
    chunkedPrefillTokens: 8192,
    maxPrefillTokens: 16_384,
    maxRunningRequests: 256,
    state: null,
  },
  speculative: null,
  host: { tokenizerUs: 0.05, requestMs: 1, disconnectMs: 1000 },
  prefill: { batchMs: 0, tokenMs: 1 / 400, pairMs: 0, residual: null },
  decode: { fixedMs: 10, streamMs: 0, streamExponent: 1, contextMs: 0 },
  jitter: 0,
}
