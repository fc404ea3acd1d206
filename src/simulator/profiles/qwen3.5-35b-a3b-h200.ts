import type { Profile } from '../profile.ts'

/** Qwen3.5-35B-A3B (BF16, hybrid attention) on one H200 NVL under SGLang with DFLASH speculation. */
export const qwen35a3bH200: Profile = {
  name: 'qwen3.5-35b-a3b-h200',
  about: {
    source:
      'A public table of 2 September 2026: 7 prefill rows, 26 measured decode cells (windows of 30 s, outputs of 4096 tokens).',
    published: ['context length', 'max running requests 32', 'draft block of 8'],
    fitted: [
      'tokenizer and fixed host cost: cached TTFT at concurrency 1',
      'prefill cost: cold TTFT less the host; its residual makes each row exact (at 8K the table is 22 % slower than the smooth cost)',
      'decode step: total tok/s of all cells',
      'acceptance residual: total tok/s of each cell, among them those that the server ran with requests of an earlier cell (32K and 128K at 2)',
      '29 requests at most: the queued cells at 32 ran 28.3 and 29.0',
    ],
    assumed: [
      '3.9 tokens a step: the table tells only their quotient with the step time',
      'KV pool: the cells that ran and did not run bound it to 655K–1,044K tokens',
      'sizes of page, chunk and state slots',
      'which part of the fixed cost is a prefill batch (12 ms)',
      'overlap scheduling, jitter, time until a closed connection is noticed',
    ],
  },
  model: {
    path: 'Qwen/Qwen3.5-35B-A3B',
    servedName: 'qwen',
    architecture: 'Qwen3_5MoeForConditionalGeneration',
  },
  launch: {
    tensorParallel: 1,
    dataParallel: 1,
    loadBalance: 'round-robin',
    overlap: true,
    streamInterval: 1,
  },
  limits: {
    contextTokens: 262_144,
    kvPoolTokens: 850_048,
    pageTokens: 64,
    chunkedPrefillTokens: 8192,
    maxPrefillTokens: 16_384,
    maxRunningRequests: 32,
    state: { total: 147, reservedPerRequest: 5, heldPerRequest: 4 },
  },
  speculative: {
    algorithm: 'DFLASH',
    draftTokens: 8,
    acceptLength: 3.9,
    residual: {
      rows: [8192, 16_384, 32_768, 65_536, 131_072, 257_024],
      columns: [1, 2, 4, 8, 16, 29],
      values: [
        [0.997, 0.9246, 0.9828, 1.0385, 0.9767, 1.0142],
        [1.0017, 0.8945, 1, 1.0378, 0.9698, 1.0062],
        [1.0155, 0.7673, 1.0477, 1.0815, 0.9984, 0.9984],
        [1.0651, 0.9687, 0.9974, 1.0699, 1.0699, 1.0699],
        [1.0066, 0.7354, 1.0506, 1.0506, 1.0506, 1.0506],
        [0.9874, 0.9623, 0.9623, 0.9623, 0.9623, 0.9623],
      ],
    },
    lag: 0,
  },
  host: { tokenizerUs: 3.692, requestMs: 44.97, disconnectMs: 1000 },
  prefill: {
    batchMs: 12,
    tokenMs: 0.01787,
    pairMs: 2.914e-7,
    residual: {
      tokens: [8192, 16_384, 32_768, 65_536, 131_072, 257_024, 262_144],
      factors: [1.222, 0.991, 0.997, 1, 1.01, 0.998, 0.996],
    },
  },
  decode: { fixedMs: 4.685, streamMs: 5.974, streamExponent: 0.48, contextMs: 1.272e-5 },
  jitter: 0.01,
}
