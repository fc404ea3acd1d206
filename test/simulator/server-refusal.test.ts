import { expect, test } from 'vitest'
import { type Answer, chat, chatStream } from './client.ts'
import { launched, sharedClient } from './launched.ts'

const client = await sharedClient()

const chatPath = '/v1/chat/completions'
const overlong = 'a'.repeat(4 * 131_072)
const overlongMessage = "The input (131083 tokens) is longer than the model's context length (131072 tokens)."

function refusal({ status, text }: Answer) {
  return [status, JSON.parse(text).message]
}

test('a prompt or an output beyond the context is refused in SGLang’s words', async () => {
  expect(refusal(await client.post(chatPath, chat({}, overlong)))).toEqual([400, overlongMessage])
  expect(refusal(await client.post(chatPath, chat({ max_tokens: 131_000 })))).toEqual([
    400,
    expect.stringMatching(/^Requested token count exceeds .* of 131072 tokens/),
  ])
  // 161 tokens of prompt.
  const fits = await client.open(chatPath, chatStream(131_072 - 161))
  expect(fits.status).toBe(200)
  fits.hangUp()
})

test('a stream that cannot be served has an HTTP status now, and was a 200 with an error event before', async () => {
  const body = chat({ stream: true }, overlong)
  expect(refusal(await client.post(chatPath, body))).toEqual([400, overlongMessage])
  await using older = await launched({ dialect: 'v0.5.9' })
  const { status, headers, text } = await older.client.post(chatPath, body)
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const [error, done] = text.split('\n\n')
  expect(JSON.parse(error?.replace('data: ', '') ?? '')).toEqual({
    error: { object: 'error', message: overlongMessage, type: 'BadRequestError', param: null, code: 400 },
  })
  expect(done).toBe('data: [DONE]')
})

test('prompt and output may fill the context, which the oldest server did not allow', async () => {
  await using oldest = await launched({ dialect: 'v0.4' })
  expect(refusal(await oldest.client.post(chatPath, chat({ max_tokens: 131_072 - 161 })))).toEqual([
    400,
    expect.stringMatching(/^Requested token count/),
  ])
})

test('a body that makes no sense is refused with 400, never 422', async () => {
  expect(refusal(await client.post(chatPath, chat({ max_tokens: 0 })))).toEqual([
    400,
    'max_new_tokens must be at least 1, got 0.',
  ])
  expect(refusal(await client.post(chatPath, { messages: [] }))).toMatchObject([400, /Messages/])
  expect(refusal(await client.post(chatPath, chat({ n: 2 })))).toMatchObject([400, /n > 1/])
  expect(refusal(await client.post('/v1/completions', { prompt: ['a', 'b'] }))).toMatchObject([400, /one/])
  expect(refusal(await client.post('/v1/completions', 'no object'))).toMatchObject([400, /JSON/])
  const untyped = await client.send('POST', chatPath, '{}', { 'content-type': 'text/plain' })
  expect(refusal(untyped)).toMatchObject([400, /Unsupported Media Type/])
})

test('SGLang’s own route wraps its error', async () => {
  const { status, text } = await client.post('/generate', {})
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { error: { message: 'Either text or input_ids should be provided.' } },
  ])
})

test('a live id cannot be used twice', async () => {
  const stream = await client.open(chatPath, chatStream(100_000, { rid: 'twice' }))
  expect(refusal(await client.post(chatPath, chat({ max_tokens: 1, rid: 'twice' })))).toEqual([
    400,
    'Duplicate request ID detected: twice',
  ])
  await client.post('/abort_request', { rid: 'twice' })
  await stream.ended
})

test('with a limited queue, who comes when it is full gets 503', async () => {
  await using other = await launched({ profile: 'small', speed: 50, maxQueuedRequests: 2 })
  const stream = chatStream(5000)
  for (let i = 0; i < 8; i++) await other.client.open(chatPath, stream)
  const waiting = [1, 2].map(() => other.client.open(chatPath, stream))
  await expect
    .poll(async () => (await other.client.json('/v1/loads')).loads)
    .toMatchObject([{ num_running_reqs: 8, num_waiting_reqs: 2 }])
  const full = await other.client.post(chatPath, stream)
  expect([full.status, JSON.parse(full.text)]).toMatchObject([
    503,
    { object: 'error', message: 'The request queue is full.', type: '503', code: 503 },
  ])
  await other.client.post('/abort_request', { abort_all: true })
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
})

test('an unknown page, a wrong method and a slash too many are answered as FastAPI does', async () => {
  const missing = await client.get('/v1/nothing')
  expect([missing.status, missing.text]).toEqual([404, '{"detail":"Not Found"}'])
  const wrong = await client.get(chatPath)
  expect([wrong.status, wrong.headers.allow, wrong.text]).toEqual([
    405,
    'POST',
    '{"detail":"Method Not Allowed"}',
  ])
  const moved = await client.get('/v1/models/')
  expect([moved.status, moved.headers.location]).toEqual([307, '/v1/models'])
})

test('with a key set, everything but metrics and health needs it', async () => {
  await using other = await launched({ apiKey: 'secret' })
  const bearer = { authorization: 'Bearer secret' }
  const status = async (path: string, headers = {}) => (await other.client.get(path, headers)).status
  expect(await status('/v1/models', bearer)).toBe(200)
  expect(await status('/v1/models', { 'x-api-key': 'secret' })).toBe(200)
  expect([await status('/metrics'), await status('/health')]).toEqual([200, 200])
  const refused = await other.client.get('/v1/models')
  expect([refused.status, refused.text]).toEqual([401, '{"error":"Unauthorized"}'])
  expect((await other.client.get('/server_info', bearer)).text).not.toContain('secret')
})

test('where an administrator has a key of its own, the usual one can neither abort nor flush', async () => {
  await using other = await launched({ apiKey: 'usual', adminApiKey: 'admin' })
  const abort = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return (await other.client.send('POST', '/abort_request', '{"rid":"x"}', headers)).status
  }
  expect([await abort('usual'), await abort('admin')]).toEqual([401, 200])
})
