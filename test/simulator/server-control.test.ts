import { expect, test } from 'vitest'
import { chat, chatStream, events } from './client.ts'
import { launched, sharedClient } from './launched.ts'

const client = await sharedClient()

const chatPath = '/v1/chat/completions'

test('an abort by the beginning of the id ends the stream gracefully, and an unknown id is fine too', async () => {
  const stream = await client.open(chatPath, chatStream(100_000, { rid: 'abort-me-1' }))
  expect((await client.post('/abort_request', { rid: 'nobody' })).status).toBe(200)
  expect((await client.post('/abort_request', { rid: 'abort-me' })).status).toBe(200)
  const [finish, usage] = events(await stream.ended).slice(-2)
  expect(finish.choices).toMatchObject([{ delta: {}, finish_reason: 'abort' }])
  expect(usage).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } })
})

test('a closed connection ends its request', async () => {
  const stream = await client.open(chatPath, chatStream(100_000, { rid: 'leaver' }))
  expect(await client.running()).toBe(1)
  stream.hangUp()
  await expect.poll(() => client.running()).toBe(0)
})

test('the cache is flushed only when nothing runs', async () => {
  const stream = await client.open(chatPath, chatStream(100_000))
  expect((await client.post('/flush_cache', {})).status).toBe(400)
  await client.post('/abort_request', { abort_all: true })
  await stream.ended
  expect((await client.post('/flush_cache', {})).status).toBe(200)
  expect((await client.get('/flush_cache')).status).toBe(200)
})

test('a flush with a time to wait is done when the server falls idle, and one more has to wait', async () => {
  const stream = await client.open(chatPath, chatStream(200))
  const first = client.get('/flush_cache?timeout=20')
  const second = await client.get('/flush_cache?timeout=20')
  expect([second.status, second.text]).toMatchObject([400, /already in progress/])
  expect((await first).status).toBe(200)
  expect(events(await stream.ended).at(-1).usage.completion_tokens).toBe(200)
  const busy = await client.open(chatPath, chatStream(100_000, { rid: 'busy' }))
  expect((await client.get('/flush_cache?timeout=0.01')).status).toBe(400)
  await client.post('/abort_request', { rid: 'busy' })
  await busy.ended
})

test('an older server flushes at once or not at all', async () => {
  await using older = await launched({ dialect: 'v0.5.9' })
  const stream = await older.client.open(chatPath, chatStream(100_000))
  expect((await older.client.get('/flush_cache?timeout=20')).status).toBe(400)
  stream.hangUp()
})

test('a request can choose its rank, and one that is not there is refused', async () => {
  await using other = await launched({ dataParallelRanks: 2 })
  await other.client.post(chatPath, chat({ max_tokens: 5, routed_dp_rank: 1 }))
  const decoded = (rank: number) =>
    other.client.metric('realtime_tokens_total', `dp_rank="${rank}",engine_type="unified",mode="decode"`)
  expect([await decoded(0), await decoded(1)]).toEqual([null, 4])
  expect((await other.client.post(chatPath, chat({ routed_dp_rank: 2 }))).status).toBe(400)
})
