import { expect, test } from 'vitest'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import type { Probes } from '../../src/server/engine-adapter.ts'
import { sglang } from '../../src/server/sglang.ts'

const report = (serverInfo: unknown, loads?: unknown, model = {}) => {
  const card = { id: 'm', ...model }
  const probes: Probes = {
    models: [card],
    serverInfo,
    version: undefined,
    loads,
    metricsText: '',
    metrics: [],
    tokenize: false,
  }
  return sglang.report(probes, card)
}

test.each([
  ['the model list', { max_model_len: 100 }, { context_length: 200 }, 100],
  ['the launch flag', {}, { context_length: 200, max_req_input_len: 299 }, 200],
  ['the longest input', {}, { context_length: null, max_req_input_len: 299 }, 300],
  ['nothing', {}, {}, null],
])('the context limit is told by %s', (_, model, info, tokens) => {
  expect(report(info, undefined, model).limits.contextTokens).toBe(tokens)
})

test.each([
  ['the least internal state', [28, 26], [{ num_running_reqs: 0, max_running_requests: 20 }], 26],
  ['the loads', [], [{ num_running_reqs: 0, max_running_requests: 20 }], 20],
  ['the launch flag, shared by the ranks', [], undefined, 16],
])('the limit of running requests for a rank is told by %s', (_, effective, loads, limit) => {
  const states = effective.map(requests => ({ effective_max_running_requests_per_dp: requests }))
  const info = { dp_size: 2, max_running_requests: 32, internal_states: states }
  expect(report(info, loads).limits.maxRunningRequests).toBe(limit)
})

test('the KV cache of a rank is told by the scheduler, else by its memory', () => {
  const internal_states = [{ memory_usage: { token_capacity: 500 } }]
  expect(report({ max_total_num_tokens: 600, internal_states }).limits.kvCacheTokens).toBe(600)
  expect(report({ internal_states }).limits.kvCacheTokens).toBe(500)
})

test('draft tokens count only where speculation is on', () => {
  const draft = { speculative_num_draft_tokens: 8 }
  expect(report({ ...draft, speculative_algorithm: 'EAGLE' }).limits.draftTokens).toBe(8)
  expect(report({ ...draft, speculative_algorithm: null }).limits.draftTokens).toBe(0)
})

test.each([
  ['nothing', undefined],
  ['fields of other types', { page_size: 'x', dp_size: -1, version: 5, internal_states: 'x' }],
  ['a list', []],
])('%s as server info leaves all unknown', (_, info) => {
  expect(report(info).limits).toEqual(unknownLimits)
  expect(report(info).engine.version).toBeNull()
})
