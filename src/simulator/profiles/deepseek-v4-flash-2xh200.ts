import type { Profile } from '../profile.ts'

/** DeepSeek-V4-Flash-DSpark (MXFP4 and FP8, sparse attention) on two H200 NVL under SGLang with DSPARK speculation. */
export const deepseekV4Flash2xH200: Profile = {
  name: 'deepseek-v4-flash-2xh200',
  about: {
    source:
      'A public table of 2026 (SGLang 0.5.16): 9 prefill rows, 43 measured decode cells (windows of 30 s, outputs of 4096 tokens).',
    published: [
      'context length',
      'tensor parallel 2',
      'no launch limit of running requests; 128 ran at once',
    ],
    fitted: [
      'tokenizer and fixed host cost: cached TTFT at concurrency 1',
      'prefill cost: cold TTFT less the host; its residual makes each row exact (at 8K, the first prompt of all, the table is 47 % slower than the smooth cost)',
      'decode step: total tok/s of all cells',
      'acceptance residual: total tok/s of each cell; at few streams it is mostly what one window happened to accept (228 tok/s for one stream at 8K, 314 for each of two)',
      'lag: from 8 streams on, the median request is some 10 % slower than total / streams',
    ],
    assumed: [
      '3.4 tokens a step of at most 8: the table tells only their quotient with the step time',
      'KV pool: the cells that ran and did not run bound it to 2,621K–4,190K tokens',
      '256 running requests, sizes of page and chunk',
      'which part of the fixed cost is a prefill batch (12 ms)',
      'overlap scheduling, jitter, time until a closed connection is noticed',
    ],
  },
  model: {
    path: 'deepseek-ai/DeepSeek-V4-Flash-DSpark',
    servedName: 'deepseek',
    architecture: 'DeepseekV4ForCausalLM',
  },
  launch: {
    tensorParallel: 2,
    dataParallel: 1,
    loadBalance: 'round-robin',
    overlap: true,
    streamInterval: 1,
  },
  limits: {
    contextTokens: 1_048_576,
    kvPoolTokens: 3_407_872,
    pageTokens: 64,
    chunkedPrefillTokens: 8192,
    maxPrefillTokens: 16_384,
    maxRunningRequests: 256,
    state: null,
  },
  speculative: {
    algorithm: 'DSPARK',
    draftTokens: 8,
    acceptLength: 3.4,
    residual: {
      rows: [8192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_043_456],
      columns: [1, 2, 4, 8, 16, 32, 64, 128],
      values: [
        [0.8137, 1.3718, 0.9274, 1.001, 1.1515, 1.0633, 1.0958, 0.9957],
        [1.0827, 1.0687, 1.0062, 1.0773, 0.9619, 0.9779, 1.0724, 0.9272],
        [1.2207, 1.1481, 0.9542, 0.9626, 1.0068, 0.9728, 1.0761, 1.0761],
        [0.8893, 1.1752, 0.898, 0.9455, 1.1248, 1.0252, 1.0252, 1.0252],
        [1.004, 0.8567, 1.0989, 0.8977, 1.1098, 1.1098, 1.1098, 1.1098],
        [0.8921, 0.9726, 0.9178, 1.097, 1.097, 1.097, 1.097, 1.097],
        [0.8678, 1.1061, 0.8136, 0.8136, 0.8136, 0.8136, 0.8136, 0.8136],
        [0.8207, 1.0051, 1.0051, 1.0051, 1.0051, 1.0051, 1.0051, 1.0051],
      ],
    },
    lag: 0.103,
  },
  host: { tokenizerUs: 1.765, requestMs: 79.63, disconnectMs: 1000 },
  prefill: {
    batchMs: 12,
    tokenMs: 0.05726,
    pairMs: 8.142e-8,
    residual: {
      tokens: [8192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_043_456, 1_048_576],
      factors: [1.469, 1.004, 1.002, 0.997, 0.993, 0.995, 0.997, 0.999, 1.008],
    },
  },
  decode: { fixedMs: 6.753, streamMs: 5.323, streamExponent: 0.56, contextMs: 1.457e-6 },
  jitter: 0.01,
}
