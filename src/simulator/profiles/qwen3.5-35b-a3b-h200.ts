import type { Profile } from '../profile.ts'

/**
 * Qwen3.5-35B-A3B (BF16, hybrid attention) on one H200 NVL under SGLang with DFLASH speculation, after a published
 * benchmark table of September 2026.
 *
 * Fitted to that table: tokenizer and fixed host cost (cached TTFT at concurrency 1), prefill (cold TTFT less the host's
 * part; within 2 % from 16K to 256K, 13 % short at 8K), decode step (per-request speed, C = 1 to 28, within 9 % but for two
 * outliers at C = 2), 28 running requests.
 * Published: context length, max running requests, draft block of 8.
 * Assumed: 3.9 tokens a step (the table knows only tok/s = tokens a step / step time), KV pool (the table bounds it to
 * 655K–1,044K tokens), page, chunk and state-slot sizes, which part of the host's 59 ms is a prefill step, jitter.
 */
export const qwen35a3bH200: Profile = {
  name: 'qwen3.5-35b-a3b-h200',
  model: {
    path: 'Qwen/Qwen3.5-35B-A3B',
    servedName: 'qwen',
    architecture: 'Qwen3_5MoeForConditionalGeneration',
  },
  limits: {
    contextTokens: 262_144,
    kvPoolTokens: 850_048,
    pageTokens: 64,
    chunkedPrefillTokens: 8192,
    maxPrefillTokens: 16_384,
    maxRunningRequests: 32,
    state: { total: 142, reservedPerRequest: 5, heldPerRequest: 4 },
  },
  // 1 + Σ p^i for i = 1…7 gives 3.9 tokens a step at p = 0.778.
  speculative: { algorithm: 'DFLASH', draftTokens: 8, acceptProbability: 0.778 },
  host: { tokenizerUs: 3.6, requestMs: 47, disconnectMs: 1000 },
  prefill: { batchMs: 12, tokenMs: 0.0172, pairMs: 2.95e-7 },
  decode: { fixedMs: 4.57, streamMs: 6.185, streamExponent: 0.46, contextMs: 1.214e-5 },
  jitter: 0.01,
}
