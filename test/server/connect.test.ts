import { expect, test } from 'vitest'
import { connectTo } from './connect-to.ts'
import { metricsText } from './fixture.ts'
import { type Route, scriptedServer, sglangScript } from './scripted-server.ts'

const models = (...ids: string[]) => ({ body: { data: ids.map(id => ({ id })) } })
const failure = (code: string, message: RegExp, hint: RegExp) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  })

test('an SGLang server tells its facts, without its key and without the bulk', async () => {
  const { url } = await scriptedServer(sglangScript())
  const { facts, adapter } = await connectTo(`${url}/v1/`, { apiKey: 'sk-mine' })
  expect(facts).toMatchObject({
    url,
    engine: { name: 'sglang', version: '0.5.20', quantization: 'fp8', backend: 'fa3', commit: null },
    model: { id: 'org/model', path: '/models/model', revision: null },
    limits: {
      contextTokens: 32_768,
      kvCacheTokens: 60_000,
      maxRunningRequests: 26,
      pageSize: 64,
      dataParallelRanks: 2,
      draftTokens: 4,
    },
    features: {
      metrics: true,
      loads: true,
      realtimeCounters: true,
      continuousUsage: null,
      abort: true,
      tokenize: true,
    },
  })
  expect(facts.launch.settings).toMatchObject({ api_key: '<redacted>', page_size: 64 })
  expect(facts.launch.settings).not.toHaveProperty('internal_states')
  expect(JSON.stringify(facts)).not.toContain('sk-')
  expect(adapter.abort).toBe('/abort_request')
})

test('an older SGLang server is known by its older page and has fewer features', async () => {
  const { url } = await scriptedServer({
    '/v1/models': models('m'),
    '/get_server_info': sglangScript()['/server_info'] ?? {},
    '/metrics': { body: metricsText('sglang-0.4') },
  })
  const { facts } = await connectTo(url)
  expect(facts.engine.name).toBe('sglang')
  // One more than the longest input.
  expect(facts.limits.contextTokens).toBe(32_768)
  expect(facts.features).toMatchObject({
    metrics: true,
    loads: false,
    realtimeCounters: false,
    tokenize: false,
  })
})

test.each([{ tokens: [] }, { count: 0 }, { content: 'a' }])(
  'a tokenizer that finds no token in a letter does not understand us: %j',
  async answer => {
    const { url } = await scriptedServer({ '/v1/models': models('m'), '/tokenize': { body: answer } })
    expect((await connectTo(url)).facts.features.tokenize).toBe(false)
  },
)

test('live counters count as offered when they are only announced', async () => {
  const { url } = await scriptedServer({
    ...sglangScript(),
    '/metrics': { body: '# TYPE sglang:realtime_tokens_total counter\nsglang:num_running_reqs 0' },
  })
  expect((await connectTo(url)).facts.features.realtimeCounters).toBe(true)
})

test('a vLLM server is recognised', async () => {
  const { url } = await scriptedServer({
    '/v1/models': models('tiny'),
    '/version': { body: { version: '0.32.0' } },
    '/server_info': { body: { vllm_config: 'x' } },
    '/metrics': { body: metricsText('vllm-two-engines') },
  })
  const { facts, adapter } = await connectTo(url)
  expect(facts.engine).toMatchObject({ name: 'vllm', version: '0.32.0' })
  expect(facts.features).toMatchObject({ metrics: true, loads: false, realtimeCounters: true, abort: false })
  expect(adapter.abort).toBeNull()
})

test('any other server is measured without its help', async () => {
  const { url } = await scriptedServer({
    '/v1/models': models('m'),
    '/metrics': { body: 'llamacpp:requests_processing 0' },
  })
  const { facts } = await connectTo(url)
  expect(facts.engine.name).toBe('openai')
  expect(facts.limits.kvCacheTokens).toBeNull()
  expect(facts.features.metrics).toBe(false)
})

test.each([
  ['JSON', { body: [] }],
  ['a web page', { body: '<html></html>' }],
  ['nothing', { body: '' }],
  ['404', { status: 404 }],
  ['silence', 'hang' as const],
])('%s at /metrics means that there are none', async (_, metrics) => {
  const { url } = await scriptedServer({ ...sglangScript(), '/metrics': metrics })
  const { facts } = await connectTo(url, { timeoutMs: 300 })
  expect(facts.features).toMatchObject({ metrics: false, loads: true, realtimeCounters: false })
})

test('a path in front of the API is kept', async () => {
  const { url } = await scriptedServer({ '/team/v1/models': models('m') })
  expect((await connectTo(`${url}/team/v1`)).facts.url).toBe(`${url}/team`)
})

test('the first model that is no adapter is taken, or the one that is asked for', async () => {
  const { url } = await scriptedServer({
    '/v1/models': { body: { data: [{ id: 'lora', parent: 'base' }, { id: 'base' }] } },
  })
  expect((await connectTo(url)).facts.model.id).toBe('base')
  expect((await connectTo(url, { model: 'lora' })).facts.model.id).toBe('lora')
})

test.each([
  [401, null, /needs an API key/, /--api-key or OPENAI_API_KEY/],
  [403, null, /needs an API key/, /--api-key/],
  [401, 'sk-mine', /refused the API key/, /check --api-key/],
  [404, null, /no OpenAI API .* 404/, /path/],
  [503, null, /503/, /ready/],
  [500, null, /500/, /log/],
])('HTTP %i with the key %s says what to do', async (status, apiKey, message, hint) => {
  const { url } = await scriptedServer({ '/v1/models': { status, body: '{"error":"sk-mine"}' } })
  const error = failure('unreachable', message, hint)
  await expect(connectTo(url, { apiKey })).rejects.toEqual(error)
  await expect(connectTo(url, { apiKey })).rejects.not.toThrow(/sk-mine/)
})

const otherProtocol: Route = ({ socket }) => {
  socket.end('SSH-2.0-OpenSSH_9.2\r\n')
  return 'hang'
}

test.each([
  ['a web page', { body: '<!doctype html>' }, /web page/],
  ['other JSON', { body: { ok: true } }, /something else/],
  ['no models', models(), /no model/],
  ['silence', 'hang' as const, /no answer within 0.1 s/],
  ['compressed data', { body: '\u001f\u008b\b' }, /compressed data/],
  ['another protocol', otherProtocol, /it does not speak HTTP/],
])('%s instead of models says so', async (_, reply, message) => {
  const { url } = await scriptedServer({ '/v1/models': reply })
  const error = failure('unreachable', message, /./)
  await expect(connectTo(url, { timeoutMs: 100 })).rejects.toEqual(error)
})

test('nobody listening says so', async () => {
  const error = failure('unreachable', /cannot reach .*: connection refused/, /url/)
  await expect(connectTo('127.0.0.1:1')).rejects.toEqual(error)
})

test('a model that is not there names those that are, without their control characters', async () => {
  const { url } = await scriptedServer({ '/v1/models': models('a\u001b[31m\u202eb', 'c'.repeat(500)) })
  const rejection = expect(connectTo(url, { model: 'x' })).rejects
  await rejection.toEqual(failure('usage', /no model "x"/, /^it has a\[31mb, c+…$/))
})

test('an engine that does not answer as such is refused, and one that does not exist is a mistake', async () => {
  const { url } = await scriptedServer(sglangScript())
  await expect(connectTo(url, { engine: 'vllm' })).rejects.toEqual(failure('unreachable', /vllm/, /--engine/))
  await expect(connectTo(url, { engine: 'x' })).rejects.toEqual(
    failure('usage', /"x"/, /sglang, vllm, openai/),
  )
  expect((await connectTo(url, { engine: 'openai' })).facts.features.abort).toBe(false)
})

test('behind a proxy, a server that cannot be reached may be the proxy’s fault', async () => {
  const proxy = { http: 'http://127.0.0.1:9', https: null, except: '' }
  await expect(connectTo('http://gpu.invalid:1', { proxy })).rejects.toMatchObject({
    code: 'unreachable',
    hint: expect.stringContaining('NO_PROXY'),
  })
})
