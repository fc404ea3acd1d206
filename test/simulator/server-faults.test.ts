import { afterEach, expect, test } from 'vitest'
import { chatStream, events, metric } from './client.ts'
import { sharedClient } from './launched.ts'

const client = await sharedClient()

afterEach(() => client.faults())

const chatPath = '/v1/chat/completions'

/** Output tokens of finished requests. */
function generated(): Promise<number | null> {
  return client.metric('generation_tokens_total', 'is_streaming="true"')
}

test('zombies: a request whose client hung up runs to its last token', async () => {
  await client.faults('zombies')
  const before = (await generated()) ?? 0
  const stream = await client.open(chatPath, chatStream(300))
  stream.hangUp()
  await expect.poll(generated).toBe(before + 300)
})

test('abort-ignored: the abort says 200, and the stream goes on to its length', async () => {
  await client.faults('abort-ignored')
  const stream = await client.open(chatPath, chatStream(200, { rid: 'stubborn' }))
  expect((await client.post('/abort_request', { rid: 'stubborn' })).status).toBe(200)
  const [finish, usage] = events(await stream.ended).slice(-2)
  expect([finish.choices[0].finish_reason, usage.usage.completion_tokens]).toEqual(['length', 200])
})

test('abort-slow: the abort says 200 at once and takes effect later', async () => {
  await client.faults('abort-slow:delayMs=60')
  const stream = await client.open(chatPath, chatStream(100_000, { rid: 'sluggish' }))
  const from = performance.now()
  expect((await client.post('/abort_request', { rid: 'sluggish' })).status).toBe(200)
  expect(performance.now() - from).toBeLessThan(60)
  expect(events(await stream.ended).at(-2).choices[0].finish_reason).toBe('abort')
  expect(performance.now() - from).toBeGreaterThanOrEqual(60)
})

test('no-metrics: the page is not found, the server says so, and the loads lose what the page reports', async () => {
  const stream = await client.open(chatPath, chatStream(100_000))
  await client.faults('no-metrics')
  expect((await client.get('/metrics')).status).toBe(404)
  expect((await client.json('/server_info')).enable_metrics).toBe(false)
  expect((await client.json('/v1/loads')).loads).toMatchObject([
    { num_running_reqs: 1, num_used_tokens: 0, gen_throughput: 0 },
  ])
  stream.hangUp()
})

test('no-loads: the loads are not found, new or old', async () => {
  await client.faults('no-loads')
  expect([(await client.get('/v1/loads')).status, (await client.get('/get_load')).status]).toEqual([404, 404])
})

test('no-abort, no-tokenize: the pages are not found', async () => {
  await client.faults('no-abort', 'no-tokenize')
  expect((await client.post('/abort_request', { rid: 'any' })).status).toBe(404)
  expect((await client.post('/tokenize', { prompt: 'a' })).status).toBe(404)
  expect((await client.post('/detokenize', { tokens: [1] })).status).toBe(404)
})

test('no-cache-report: usage never names cached tokens, and the server says so', async () => {
  await client.faults('no-cache-report')
  const prompt = { messages: [{ role: 'user', content: 'the same words again and again '.repeat(100) }] }
  await client.post(chatPath, chatStream(1, prompt))
  const again = await client.post(chatPath, chatStream(1, prompt))
  expect(again.text).toContain('"prompt_tokens_details":null')
  expect(again.text).not.toContain('cached_tokens":')
  expect((await client.json('/server_info')).enable_cache_report).toBe(false)
  await client.faults()
  expect((await client.post(chatPath, chatStream(1, prompt))).text).toMatch(/"cached_tokens":\d+/)
})

test('no-realtime-counters: the page has all but these', async () => {
  await client.post(chatPath, chatStream(5))
  await client.faults('no-realtime-counters')
  const { text } = await client.get('/metrics')
  expect(text).not.toContain('realtime_tokens_total')
  expect(text).toContain('sglang:evicted_tokens_total')
})

test('slow-metrics: the page comes late, and other pages do not', async () => {
  await client.faults('slow-metrics:delayMs=60')
  const from = performance.now()
  const page = client.get('/metrics')
  await client.get('/health')
  expect(performance.now() - from).toBeLessThan(60)
  expect((await page).text).toContain('sglang:num_running_reqs')
  expect(performance.now() - from).toBeGreaterThanOrEqual(60)
})

test('nan-metrics: every gauge is NaN, counters are not', async () => {
  await client.post(chatPath, chatStream(5))
  await client.faults('nan-metrics')
  const { text } = await client.get('/metrics')
  expect(metric(text, 'num_running_reqs')).toBeNaN()
  expect(metric(text, 'token_usage')).toBeNaN()
  expect(metric(text, 'realtime_tokens_total', 'mode="decode"')).toBeGreaterThan(0)
})

test('html-metrics, binary-metrics: 200, and something else than metrics', async () => {
  await client.faults('html-metrics')
  const page = await client.get('/metrics')
  expect([page.status, page.headers['content-type'], page.text]).toMatchObject([200, /html/, /^<!DOCTYPE/])
  await client.faults('binary-metrics')
  const bytes = await client.get('/metrics')
  expect([bytes.status, bytes.text]).toMatchObject([200, /\0.*\ufffd/s])
})

test('redirect-metrics: the page is at its name with a slash', async () => {
  await client.faults('redirect-metrics')
  const { status, headers } = await client.get('/metrics')
  expect([status, headers.location]).toEqual([307, '/metrics/'])
  expect((await client.get('/metrics/')).text).toContain('sglang:num_running_reqs')
})

test('hostile-name: pages and metrics carry a model name with escape codes, bidi marks and 700 characters', async () => {
  await client.faults('hostile-name')
  const { id } = (await client.json('/v1/models')).data[0]
  for (const part of ['\u001b[2J', '\u202e', '\u2028', '"', '\\', '\n', '\r']) expect(id).toContain(part)
  expect(id.length).toBeGreaterThan(700)
  const { text } = await client.get('/metrics')
  expect(text).toContain('model_name="evil\u001b[2J')
  expect(text).toMatch(/\nsglang:num_running_reqs\{[^\n]*\\"\\\\\\n[^\n]*\} 0\.0\n/)
  const chunks = events(await client.post(chatPath, chatStream(1, { model: undefined })))
  expect(chunks[0].model).toBe(id)
})
