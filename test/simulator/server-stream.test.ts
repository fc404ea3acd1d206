import { expect, test } from 'vitest'
import { chat, chatStream, events } from './client.ts'
import { launched, sharedClient } from './launched.ts'

const client = await sharedClient()

const chatPath = '/v1/chat/completions'

test('a chat stream is: role, one content chunk a step with usage so far, finish, usage, [DONE]', async () => {
  const chunks = events(await client.post(chatPath, chatStream(3, { rid: 'stream-1' })))
  expect(new Set(chunks.map(chunk => chunk.id))).toEqual(new Set(['stream-1']))
  expect(chunks.map(chunk => chunk.choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '' },
    ...Array(3).fill({ content: expect.stringMatching(/^ \w+$/) }),
    {},
    undefined,
  ])
  expect(chunks.map(chunk => chunk.choices[0]?.finish_reason)).toEqual([
    ...Array(4).fill(null),
    'length',
    undefined,
  ])
  // 600 characters and the chat template's 11 tokens.
  expect(chunks.map(chunk => chunk.usage?.completion_tokens)).toEqual([undefined, 1, 2, 3, undefined, 3])
  expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 161, completion_tokens: 3, total_tokens: 164 })
})

test('usage comes only where it was asked for: at the end, in each chunk without the end, or not at all', async () => {
  const told = async (stream_options: object) => {
    const chunks = events(await client.post(chatPath, chatStream(2, { stream_options })))
    return chunks.map(chunk => chunk.usage?.completion_tokens)
  }
  expect(await told({})).toEqual([undefined, undefined, undefined, undefined])
  expect(await told({ include_usage: true })).toEqual([undefined, undefined, undefined, undefined, 2])
  expect(await told({ continuous_usage_stats: true })).toEqual([undefined, 1, 2, undefined])
})

test('a completions stream has text only, and its last text carries the reason', async () => {
  const chunks = events(
    await client.post('/v1/completions', { prompt: 'abcd', stream: true, ignore_eos: true }),
  )
  expect(chunks).toHaveLength(16)
  expect(chunks.at(-1).choices).toMatchObject([
    { text: expect.stringMatching(/^ \w+$/), finish_reason: 'length' },
  ])
})

test('an output that ends by itself says which token ended it', async () => {
  const chunks = events(await client.post(chatPath, chatStream(100_000, { ignore_eos: false })))
  expect(chunks.at(-2).choices).toMatchObject([{ finish_reason: 'stop', matched_stop: expect.any(Number) }])
})

test('without a stream the whole answer comes at the end, with cached tokens when there were some', async () => {
  const prompt = 'something of its own '.repeat(100)
  await client.post(chatPath, chat({ max_tokens: 1 }, prompt))
  const reply = JSON.parse((await client.post(chatPath, chat({ max_tokens: 5 }, prompt))).text)
  expect(reply.choices).toMatchObject([{ message: { role: 'assistant' }, finish_reason: 'length' }])
  expect(reply.choices[0].message.content.trim().split(' ')).toHaveLength(5)
  expect(reply.usage).toMatchObject({ completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } })
})

test('/generate takes token ids and tells the whole text so far, with exact counts, in each event', async () => {
  const body = { input_ids: [1, 2, 3], sampling_params: { max_new_tokens: 3, ignore_eos: true } }
  const chunks = events(await client.post('/generate', { ...body, stream: true, rid: 'native' }))
  expect(chunks.map(chunk => chunk.text.trim().split(' ').length)).toEqual([1, 2, 3])
  expect(chunks[2].text).toMatch(new RegExp(`^${chunks[1].text} `))
  expect(chunks.map(chunk => chunk.meta_info.completion_tokens)).toEqual([1, 2, 3])
  expect(chunks[0].meta_info).toMatchObject({ id: 'native', finish_reason: null, prompt_tokens: 3 })
  expect(chunks[2].meta_info).toMatchObject({
    finish_reason: { type: 'length', length: 3 },
    e2e_latency: expect.any(Number),
  })
  const whole = JSON.parse((await client.post('/generate', body)).text)
  expect(whole).toMatchObject({ output_ids: [0, 1, 2], meta_info: { completion_tokens: 3 } })
})

test('a prompt as text and as its token ids is the same to the prefix cache', async () => {
  const prompt = 'once upon a time there was a prompt '.repeat(50)
  const { tokens } = JSON.parse((await client.post('/tokenize', { prompt })).text)
  await client.post('/v1/completions', { prompt, max_tokens: 1 })
  const { usage } = JSON.parse((await client.post('/v1/completions', { prompt: tokens, max_tokens: 1 })).text)
  // 1800 characters are 450 tokens, of which 7 pages of 64 are full.
  expect(usage).toMatchObject({ prompt_tokens: 450, prompt_tokens_details: { cached_tokens: 448 } })
  const { text } = JSON.parse((await client.post('/detokenize', { tokens })).text)
  expect(text).toBe(prompt)
})

test('thoughts come before the answer in a field of their own, unless the request switches them off', async () => {
  await using other = await launched({ reasoningParser: 'qwen3' })
  const deltas = async (fields: object) => {
    const chunks = events(await other.client.post(chatPath, chatStream(6, fields)))
    const names = chunks.flatMap(chunk => Object.keys(chunk.choices[0]?.delta ?? {}))
    return [names.slice(2), chunks.at(-1).usage.reasoning_tokens]
  }
  const answer = Array(3).fill('content')
  expect(await deltas({})).toEqual([[...Array(3).fill('reasoning_content'), ...answer], 3])
  expect(await deltas({ stream_reasoning: false })).toEqual([['reasoning_content', ...answer], 3])
  const off = [[...answer, ...answer], 0]
  expect(await deltas({ separate_reasoning: false })).toEqual(off)
  expect(await deltas({ chat_template_kwargs: { enable_thinking: false } })).toEqual(off)
  const whole = JSON.parse((await other.client.post(chatPath, chat({ max_tokens: 6 }))).text)
  const { content, reasoning_content } = whole.choices[0].message
  expect([content, reasoning_content].map(text => text.trim().split(' ').length)).toEqual([3, 3])
})

test('an old server fills every field with null and does not know continuous usage', async () => {
  await using other = await launched({ dialect: 'v0.4' })
  const chunks = events(await other.client.post(chatPath, chatStream(1)))
  expect(chunks.map(chunk => chunk.choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', reasoning_content: null, tool_calls: null },
    {
      role: null,
      content: expect.stringMatching(/^ \w+$/),
      reasoning_content: null,
      tool_calls: null,
    },
    { role: null, content: null, reasoning_content: null, tool_calls: null },
    undefined,
  ])
  expect(chunks[0].choices[0]).toMatchObject({ logprobs: null, matched_stop: null })
  expect(chunks.map(chunk => chunk.usage?.completion_tokens ?? chunk.usage)).toEqual([null, null, null, 1])
})

test('a stream interval gives the first token at once, then every so many in one chunk', async () => {
  await using other = await launched({ streamInterval: 4 })
  const chunks = events(await other.client.post(chatPath, chatStream(10)))
  const told = chunks.slice(1, -2).map(chunk => chunk.usage.completion_tokens)
  expect(told).toEqual([1, 5, 9, 10])
})
