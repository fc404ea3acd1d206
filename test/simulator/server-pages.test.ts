import { expect, test } from 'vitest'
import { chatStream } from './client.ts'
import { launched, sharedClient } from './launched.ts'

const client = await sharedClient()

test('the server tells its model, its limits and its version', async () => {
  expect(await client.json('/v1/models')).toMatchObject({ data: [{ id: 'fast', max_model_len: 131_072 }] })
  const info = await client.json('/get_server_info')
  expect(info).toMatchObject({
    max_total_num_tokens: 4_000_000,
    max_req_input_len: 131_071,
    internal_states: [{ effective_max_running_requests_per_dp: 256 }],
    version: expect.stringMatching(/^0\.5\.20/),
  })
  expect(await client.json('/server_info')).toEqual(info)
  expect(await client.json('/model_info')).toMatchObject({ model_path: 'simulated/fast' })
})

test('a model can be asked for by its id, and any other is not found', async () => {
  expect(await client.json('/v1/models/fast')).toMatchObject({ id: 'fast', owned_by: 'sglang' })
  const { status, text } = await client.get('/v1/models/no/such')
  expect([status, JSON.parse(text)]).toMatchObject([
    404,
    { error: { type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
  ])
})

test('a hybrid server tells only the limit of its launch', async () => {
  await using hybrid = await launched({ profile: 'qwen3.5-35b-a3b-h200' })
  const { internal_states: states, max_running_requests } = await hybrid.client.json('/server_info')
  expect([max_running_requests, states[0].effective_max_running_requests_per_dp]).toEqual([32, 32])
})

test('health pages say nothing with 200; the one that generates leaves a request in the counters', async () => {
  for (const path of ['/health', '/ping', '/health_generate']) {
    const { status, text } = await client.get(path)
    expect([status, text]).toEqual([200, ''])
  }
  expect(await client.metric('num_requests_total', 'is_streaming="false"')).toBe(1)
  expect((await client.get('/')).text).toContain('SGLang')
})

test('text has a token for each 4 characters', async () => {
  const counted = JSON.parse((await client.post('/tokenize', { prompt: 'a'.repeat(9) })).text)
  expect(counted).toMatchObject({ count: 3, max_model_len: 131_072 })
  expect(counted.tokens).toHaveLength(3)
})

test('the loads tell of now, in the sections that are asked for', async () => {
  const stream = await client.open('/v1/chat/completions', chatStream(100_000))
  const { loads } = await client.json('/v1/loads')
  expect(loads).toMatchObject([
    {
      dp_rank: 0,
      num_running_reqs: 1,
      num_waiting_reqs: 0,
      max_running_requests: 256,
      queues: { waiting: 0 },
    },
  ])
  const core = await client.json('/v1/loads?include=core,memory&dp_rank=0')
  expect(Object.keys(core.loads[0])).toContain('memory')
  expect(Object.keys(core.loads[0])).not.toContain('queues')
  expect((await client.json('/v1/loads?dp_rank=3')).loads).toEqual([])
  expect((await client.get('/v1/loads?include=nonsense')).status).toBe(400)
  const { text } = await client.get('/v1/loads?format=prometheus')
  expect(text).toContain('sglang_num_running_reqs{dp_rank="0"} 1\n')
  expect(await client.json('/get_load')).toMatchObject([{ dp_rank: 0, num_reqs: 1, num_waiting_reqs: 0 }])
  stream.hangUp()
})

test('each rank has a load, an internal state and its share of the limits', async () => {
  await using other = await launched({ dataParallelRanks: 2 })
  const { loads } = await other.client.json('/v1/loads')
  expect(loads.map((load: { dp_rank: number }) => load.dp_rank)).toEqual([0, 1])
  const info = await other.client.json('/server_info')
  expect(info).toMatchObject({ dp_size: 2, max_running_requests: 512 })
  expect(info.internal_states).toHaveLength(2)
})

test('the oldest server lacks the newer pages', async () => {
  await using oldest = await launched({ dialect: 'v0.4' })
  const status = async (path: string) => (await oldest.client.get(path)).status
  expect([await status('/server_info'), await status('/v1/loads'), await status('/tokenize')]).toEqual([
    404, 404, 404,
  ])
  expect((await oldest.client.json('/get_server_info')).version).toMatch(/^0\.4/)
  expect(await oldest.client.json('/get_load')).toEqual([
    { dp_rank: 0, num_reqs: 0, num_waiting_reqs: 0, num_pages: 0 },
  ])
})

test('the loads of the version between have a sum', async () => {
  await using between = await launched({ dialect: 'v0.5.9' })
  expect(await between.client.json('/v1/loads')).toMatchObject({
    dp_rank_count: 1,
    aggregate: { total_reqs: 0 },
    loads: [{ dp_rank: 0 }],
  })
})
