import { expect, test } from 'vitest'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { emptyReading, type Probes } from '../../src/server/engine-adapter.ts'
import { vllm } from '../../src/server/vllm.ts'
import { metricsOf, metricsText } from './fixture.ts'

const model = { id: 'tiny', root: '/models/tiny', max_model_len: 16_384, owned_by: 'vllm' }
const probesWith = (text: string): Probes => ({
  models: [model],
  serverInfo: undefined,
  version: { version: '0.32.0' },
  loads: undefined,
  metricsText: text,
  metrics: metricsOf(text),
  tokenize: true,
})
const read = (text: string) => vllm.read({ metrics: metricsOf(text), loads: undefined }, unknownLimits)

test('engines are summed, and gauges that move with every step are fresh', () => {
  expect(read(metricsText('vllm-two-engines'))).toEqual({
    ...emptyReading,
    running: 7,
    queued: 2,
    fresh: true,
    kvUsedTokens: 786_432,
    kvCapacityTokens: 2_097_152,
    kvCacheUsage: 0.375,
    realtimeDecodeTokens: 43_000,
    countsFirstTokens: true,
    realtimePrefillTokens: 25_554,
    realtimeCachedTokens: 5888,
    retractions: 1,
  })
})

test('an old version is read by its older names', () => {
  expect(read(metricsText('vllm-0.6'))).toEqual({
    ...emptyReading,
    running: 1,
    queued: 0,
    fresh: true,
    kvUsedTokens: 2000,
    kvCapacityTokens: 16_000,
    kvCacheUsage: 0.125,
    realtimeDecodeTokens: 80,
    countsFirstTokens: true,
    realtimePrefillTokens: 400,
  })
})

test('prompt tokens that are told only as a sum are computed but for the cached ones', () => {
  const page = 'vllm:prompt_tokens_total 900\nvllm:prompt_tokens_cached_total 700'
  expect(read(page)).toMatchObject({ realtimePrefillTokens: 200, realtimeCachedTokens: 700 })
})

test('it tells its version, and limits for one engine', () => {
  const report = vllm.report(probesWith(metricsText('vllm-two-engines')), model)
  expect(report.engine).toMatchObject({ name: 'vllm', version: '0.32.0' })
  expect(report.model.path).toBe('/models/tiny')
  expect(report.limits).toEqual({
    ...unknownLimits,
    contextTokens: 16_384,
    kvCacheTokens: 1_048_576,
    pageSize: 128,
    dataParallelRanks: 2,
  })
  expect(report.settings).toMatchObject({ cache_dtype: 'auto' })
})

test('without metrics its limits are unknown', () => {
  expect(vllm.report(probesWith(''), model).limits).toEqual({ ...unknownLimits, contextTokens: 16_384 })
})
