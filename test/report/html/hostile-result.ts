import { noFigures } from '../../../src/result/build-result.ts'
import type { ResultCell, RunResult } from '../../../src/result/schema.ts'
import { sampleResult } from '../../support/sample-result.ts'

/** A script, a colour, a reversed text, a bell: what a server may call itself. */
export const hostileText = `</script><img src=x onerror="document.title='taken'">'&amp;\u001b[31m\u202e\u0007\u2028`

const statuses = [
  'valid',
  'requests-queued',
  'invalid',
  'failed',
  'skipped',
  'not-run',
  'over-capacity',
] as const

/** A result in which all texts are hostile and nothing is known. */
export function hostileResult(): RunResult {
  const { prefill: _, ...base } = sampleResult()
  const cell = (status: ResultCell['status'], concurrency: number): ResultCell => ({
    ...noFigures,
    contextTokens: 0,
    concurrency,
    status,
    limit: null,
    limits: [],
    reasons: [
      { kind: 'failed', message: hostileText },
      { kind: hostileText, [hostileText]: hostileText },
    ],
    scalingEfficiency: null,
    partial: status === 'not-run' ? noFigures : null,
  })
  return {
    ...base,
    tool: { name: hostileText, version: null, node: null },
    run: {
      ...base.run,
      id: hostileText,
      startedAt: null,
      endedAt: null,
      ending: 'aborted',
      message: hostileText,
      command: hostileText,
      notes: { [hostileText]: hostileText },
      promptSet: null,
    },
    server: {
      url: hostileText,
      engine: {
        name: hostileText,
        version: hostileText,
        quantization: hostileText,
        backend: null,
        repository: null,
        build: null,
        commit: null,
      },
      model: { id: hostileText, path: null, revision: null },
      limits: {
        contextTokens: null,
        kvCacheTokens: null,
        maxRunningRequests: null,
        pageSize: null,
        dataParallelRanks: null,
      },
      launch: {
        command: hostileText,
        source: null,
        settings: { [hostileText]: { [hostileText]: hostileText } },
      },
      features: null,
    },
    hardware: { gpus: [{ name: hostileText, memoryMiB: null, driver: hostileText }], host: null },
    prefill: [
      {
        contextTokens: 0,
        status: 'failed',
        limit: null,
        limits: [],
        reasons: [],
        promptTokens: null,
        ttftMs: null,
        tokensPerSecond: null,
        netTokensPerSecond: null,
        hostTokenizeMs: null,
        samples: [],
      },
    ],
    decode: statuses.map((status, index) => cell(status, 2 ** index)),
  }
}
