import { afterEach, expect, test } from 'vitest'
import { type Client, chat, chatStream, contentChunks, events } from './client.ts'
import { launched, sharedClient } from './launched.ts'

const client = await sharedClient()

afterEach(() => client.faults())

const chatPath = '/v1/chat/completions'

function post(maxTokens: number, fields: object = {}) {
  return client.post(chatPath, chatStream(maxTokens, fields))
}

test('faults can be set, seen and cleared while the server runs, and wrong ones change nothing', async () => {
  await client.faults('crlf', 'stall:every=4')
  const wrong = await client.post('/simulator/faults', { faults: ['crlf', 'gremlins'] })
  expect([wrong.status, wrong.text]).toMatchObject([400, /unknown fault \\"gremlins\\"/])
  const { faults, known } = await client.json('/simulator/faults')
  expect(faults).toEqual(['crlf', 'stall:every=4,afterTokens=10'])
  expect(known).toContainEqual({
    fault: 'cut:every=1,afterTokens=10',
    effect: expect.stringContaining('closed'),
  })
  await client.faults()
  expect((await client.json('/simulator/faults')).faults).toEqual([])
})

test('a server can be launched with faults', async () => {
  await using other = await launched({ faults: ['refuse:every=1'] })
  expect((await other.client.post(chatPath, chatStream(1))).status).toBe(503)
})

test('refuse: each K-th request gets 503, counted from when the fault was set', async () => {
  await client.faults('refuse:every=3')
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await post(1)).status)
  expect(statuses).toEqual([200, 200, 503, 200, 200, 503])
})

test('stream-error: after N tokens comes an error event, then [DONE], and the request is off the server', async () => {
  await client.faults('stream-error:afterTokens=5')
  const answer = await post(100_000)
  const chunks = events(answer)
  expect(answer.status).toBe(200)
  expect(contentChunks(answer.text)).toBe(5)
  expect(chunks.at(-1)).toEqual({
    error: {
      object: 'error',
      message: expect.any(String),
      type: 'InternalServerError',
      param: null,
      code: 500,
    },
  })
  await expect.poll(() => client.running()).toBe(0)
  const whole = await client.post(chatPath, chat({ max_tokens: 5 }))
  expect(whole.status).toBe(200)
  await client.faults('stream-error:afterTokens=0')
  expect((await client.post(chatPath, chat({ max_tokens: 5 }))).status).toBe(500)
})

test('cut: the connection ends inside the stream, without [DONE]', async () => {
  await client.faults('cut:afterTokens=5')
  const answer = await post(100_000)
  expect([answer.ending, contentChunks(answer.text)]).toEqual(['broken', 5])
  expect(answer.text).not.toContain('[DONE]')
})

test('stall: a stream gets N tokens and then nothing, though the server goes on', async () => {
  await client.faults('stall:every=2,afterTokens=5')
  expect(contentChunks((await post(20)).text)).toBe(20)
  const stalled = await client.open(chatPath, chatStream(20))
  await expect.poll(() => client.metric('num_requests_total')).toBe(await expected(client))
  expect(contentChunks(stalled.text())).toBe(5)
  stalled.hangUp()
  expect((await stalled.ended).ending).toBe('broken')

  /** All requests that were sent are over on the server. */
  async function expected(one: Client): Promise<number | null> {
    await expect.poll(() => one.running()).toBe(0)
    return one.metric('num_requests_total')
  }
})

test('endless-line: a line begins and goes on for megabytes', async () => {
  await client.faults('endless-line:afterTokens=2')
  const stream = await client.open(chatPath, chatStream(100_000))
  await expect.poll(() => stream.text().length).toBeGreaterThan(4 * 1024 * 1024)
  const lines = stream.text().split('\n')
  expect(lines.at(-1)).toMatch(/^data: x{4194304}/)
  stream.hangUp()
})

test('slow-start: the first token comes late for each K-th, with all that was made meanwhile', async () => {
  await client.faults('slow-start:every=2,delayMs=60')
  const took = async () => {
    const from = performance.now()
    const chunks = events(await post(20))
    expect(chunks.at(-1).usage.completion_tokens).toBe(20)
    return performance.now() - from
  }
  expect(await took()).toBeLessThan(60)
  expect(await took()).toBeGreaterThanOrEqual(60)
})

test('no-usage: nothing tells usage, in a stream or without', async () => {
  await client.faults('no-usage')
  expect((await post(3)).text).not.toContain('usage')
  expect(JSON.parse((await client.post(chatPath, chat({ max_tokens: 3 }))).text).usage).toBeNull()
})

test('final-usage-only: usage comes in the last chunk, though more was asked for', async () => {
  await client.faults('final-usage-only')
  const told = events(await post(2)).map(chunk => chunk.usage?.completion_tokens)
  expect(told).toEqual([undefined, undefined, undefined, undefined, 2])
})

test('crlf: every line ends in CRLF', async () => {
  await client.faults('crlf')
  const { text } = await post(3)
  expect(text).toMatch(/data: \[DONE\]\r\n\r\n$/)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(events({ text: text.replaceAll('\r\n', '\n') })).toHaveLength(6)
})

test('split: frames come in pieces that end inside lines and characters, and together are whole', async () => {
  await client.faults('split', 'multibyte')
  const stream = await client.open(chatPath, chatStream(60))
  const answer = await stream.ended
  expect(events(answer).at(-1).usage.completion_tokens).toBe(60)
  expect(Math.max(...stream.reads.map(({ length }) => length))).toBeLessThanOrEqual(16)
  expect(answer.text).not.toContain('\ufffd')
  expect(stream.reads.some(bytes => bytes.toString().includes('\ufffd'))).toBe(true)
})

test('multibyte: text holds line ends that are none, emoji and bytes held back, so that steps have no chunk', async () => {
  await client.faults('multibyte')
  const answer = await post(400)
  const chunks = events(answer)
  const contents = chunks.map(chunk => chunk.choices[0]?.delta.content).filter(text => text)
  // Each word takes two tokens.
  expect(contents).toHaveLength(200)
  for (const hard of ['\u2028', '\u2029', '\u0085', '👩‍👩‍👧', '日本']) {
    expect(contents.join('')).toContain(hard)
    expect(answer.text).toContain(hard)
  }
  expect(chunks.at(-1).usage.completion_tokens).toBe(400)
})
