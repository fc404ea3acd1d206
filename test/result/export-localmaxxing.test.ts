import { expect, test } from 'vitest'
import { toLocalMaxxing } from '../../src/result/export-localmaxxing.ts'
import { sampleResult } from '../support/sample-result.ts'

const sample = sampleResult()
const [single, four] = sample.decode
if (single === undefined || four === undefined) throw new Error('the sample has two cells')
const gpu = { name: 'NVIDIA H200', memoryMiB: 143_771, driver: null }
const prefill = {
  contextTokens: 8192,
  status: 'valid' as const,
  limit: null,
  limits: [],
  reasons: [],
  promptTokens: 8190,
  ttftMs: 290,
  tokensPerSecond: 28_100,
  netTokensPerSecond: null,
  hostTokenizeMs: null,
  samples: [],
}
const total = (mean: number, ci95: number | null) => ({
  mean,
  ci95,
  batchMeans: { ci95, n: 15 },
  requestLevel: { ci95, n: 9 },
})

test('a payload has the speed of one stream, the prefill of its context, and the rest in the notes', () => {
  const result = {
    ...sample,
    server: {
      ...sample.server,
      engine: { ...sample.server.engine, quantization: 'FP8', backend: 'cuda' },
      model: { id: 'qwen', path: 'Qwen/Qwen3.5-35B-A3B', revision: null },
      launch: { ...sample.server.launch, command: 'python -m sglang.launch_server' },
    },
    hardware: { gpus: [gpu, gpu], host: null },
    prefill: [prefill],
    decode: [
      {
        ...four,
        status: 'valid' as const,
        reasons: [{ kind: 'few-samples', n: 4 }],
        totalTokensPerSecond: total(700.26, 35),
        perRequestTokensPerSecond: { n: 9, p50: 188, p10: 171 },
        promptTokens: { mean: 8190.4, min: 8188, max: 8192 },
        ttftMs: single.ttftMs && { ...single.ttftMs, headline: 159 },
        windowSeconds: 30,
      },
    ],
  }
  expect(toLocalMaxxing(result)).toEqual([
    {
      hfId: 'Qwen/Qwen3.5-35B-A3B',
      // 143771 / 1024, of one of them
      hardware: { hwClass: 'DISCRETE_GPU', gpuName: 'NVIDIA H200', gpuCount: 2, vramGb: 140.4 },
      engineName: 'sglang',
      engineVersion: sample.server.engine.version,
      quantization: 'FP8',
      backend: 'cuda',
      tokSOut: 188,
      tokSPrefill: 28_100,
      ttftMs: 159,
      promptTokens: 8190,
      outputTokens: 4096,
      batchSize: 4,
      contextLength: 8192,
      engineFlags: { commandSnippet: 'python -m sglang.launch_server' },
      notes:
        'tokgrid 0.0.0: 700.3 tok/s ± 35.0 (95 %) in total; 4 streams over 30.0 s; unique prompts; marked few-samples',
    },
  ])
})

test('what is not known is null, and a path on a disk is no name of a model', () => {
  const model = { id: 'qwen', path: '/models/qwen', revision: null }
  const result = { ...sample, server: { ...sample.server, model }, hardware: { gpus: null, host: null } }
  const [payload] = toLocalMaxxing({ ...result, decode: [{ ...single, status: 'valid' }] })
  expect(payload).toMatchObject({
    hfId: null,
    hardware: { hwClass: null, gpuName: null, gpuCount: null, vramGb: null },
    tokSPrefill: null,
  })
})

test.each(['invalid', 'requests-queued', 'failed', 'skipped', 'not-run', 'over-capacity'] as const)(
  'a cell that is %s is not published',
  status => {
    expect(toLocalMaxxing({ ...sample, decode: [{ ...single, status }] })).toEqual([])
  },
)
