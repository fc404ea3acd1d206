import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileNames, type Simulator, startSimulator } from '../../src/simulator/start.ts'

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ profile: 'fast', speed: 20 })
})

afterAll(() => simulator.close())

function get(path: string): Promise<Response> {
  return fetch(simulator.url + path)
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function chat(fields: object, prompt = 'hello '.repeat(100)): Promise<Response> {
  return post('/v1/chat/completions', {
    model: 'any',
    messages: [{ role: 'user', content: prompt }],
    ignore_eos: true,
    ...fields,
  })
}

async function json(response: Promise<Response>) {
  return JSON.parse(await (await response).text())
}

/** The JSON of each event of a stream that ended with [DONE]. */
async function events(response: Response) {
  const frames = (await response.text()).split('\n\n')
  expect(frames.slice(-2)).toEqual(['data: [DONE]', ''])
  return frames.slice(0, -2).map(frame => JSON.parse(frame.replace(/^data: /, '')))
}

/** The value of a series whose labels contain `label`; null when there is none. */
function metric(page: string, name: string, label = ''): number | null {
  const line = page.split('\n').find(text => text.startsWith(`sglang:${name}{`) && text.includes(label))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

test('a chat stream is: role, one content chunk a step with usage so far, finish, usage, [DONE]', async () => {
  const usage = { include_usage: true, continuous_usage_stats: true }
  const chunks = await events(
    await chat({ stream: true, max_tokens: 3, rid: 'stream-1', stream_options: usage }),
  )
  expect(new Set(chunks.map(chunk => chunk.id))).toEqual(new Set(['stream-1']))
  expect(chunks.map(chunk => chunk.choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '' },
    ...Array(3).fill({ content: expect.stringMatching(/^ \w+$/) }),
    {},
    undefined,
  ])
  expect(chunks.map(chunk => chunk.choices[0]?.finish_reason)).toEqual([
    null,
    null,
    null,
    null,
    'length',
    undefined,
  ])
  // 600 characters and the chat template's 11 tokens.
  expect(chunks.map(chunk => chunk.usage?.completion_tokens)).toEqual([undefined, 1, 2, 3, undefined, 3])
  expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 161, completion_tokens: 3, total_tokens: 164 })
})

test('usage is absent from a stream that did not ask for it', async () => {
  const chunks = await events(await chat({ stream: true, max_completion_tokens: 2 }))
  expect(chunks.filter(chunk => 'usage' in chunk)).toEqual([])
})

test('a completions stream has text only, and its last text carries the reason', async () => {
  const chunks = await events(
    await post('/v1/completions', { prompt: 'abcd', stream: true, ignore_eos: true }),
  )
  expect(chunks).toHaveLength(16)
  expect(chunks.at(-1).choices).toMatchObject([
    { text: expect.stringMatching(/^ \w+$/), finish_reason: 'length' },
  ])
})

test('without a stream the whole answer comes at the end, with cached tokens when there were some', async () => {
  const prompt = 'something of its own '.repeat(100)
  await json(chat({ max_tokens: 1 }, prompt))
  const reply = await json(chat({ max_tokens: 5 }, prompt))
  expect(reply.choices).toMatchObject([{ message: { role: 'assistant' }, finish_reason: 'length' }])
  expect(reply.choices[0].message.content.trim().split(' ')).toHaveLength(5)
  expect(reply.usage).toMatchObject({ completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } })
})

test('an abort by the beginning of the id ends the stream gracefully, and an unknown id is fine too', async () => {
  const stream = await chat({
    stream: true,
    max_tokens: 100_000,
    rid: 'abort-me-1',
    stream_options: { include_usage: true },
  })
  expect((await post('/abort_request', { rid: 'nobody' })).status).toBe(200)
  expect((await post('/abort_request', { rid: 'abort-me' })).status).toBe(200)
  const [finish, usage] = (await events(stream)).slice(-2)
  expect(finish.choices).toMatchObject([{ delta: {}, finish_reason: 'abort' }])
  expect(usage).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } })
})

test('a live id cannot be used twice; the cache cannot be flushed while something runs', async () => {
  const stream = await chat({ stream: true, max_tokens: 100_000, rid: 'twice' })
  const second = await chat({ max_tokens: 1, rid: 'twice' })
  expect([second.status, await second.json()]).toMatchObject([
    400,
    { object: 'error', code: 400, message: /Duplicate/ },
  ])
  expect((await post('/flush_cache', {})).status).toBe(400)
  await post('/abort_request', { abort_all: true })
  await events(stream)
  expect((await post('/flush_cache', {})).status).toBe(200)
})

test('a closed connection ends its request', async () => {
  const leave = new AbortController()
  const stream = await fetch(`${simulator.url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prompt: 'abcd',
      stream: true,
      ignore_eos: true,
      max_tokens: 100_000,
      rid: 'leaver',
    }),
    signal: leave.signal,
  })
  expect(stream.status).toBe(200)
  const running = async () => (await json(get('/v1/loads'))).loads[0].num_running_reqs
  expect(await running()).toBe(1)
  leave.abort()
  await expect.poll(running).toBe(0)
})

test('what SGLang refuses is refused in its words', async () => {
  const refusal = async (response: Promise<Response>) => {
    const { status } = await response
    return [status, (await json(response)).message]
  }
  expect(await refusal(chat({}, 'a'.repeat(4 * 131_072)))).toEqual([
    400,
    "The input (131083 tokens) is longer than the model's context length (131072 tokens).",
  ])
  const [status, message] = await refusal(chat({ max_tokens: 131_000 }))
  expect([status, message]).toEqual([
    400,
    expect.stringMatching(/^Requested token count exceeds .* of 131072 tokens/),
  ])
  expect(await refusal(chat({ max_tokens: 0 }))).toMatchObject([400, /max_new_tokens/])
  expect(await refusal(post('/v1/chat/completions', { messages: [] }))).toMatchObject([400, /Messages/])
  expect(await refusal(post('/v1/completions', 'no object'))).toMatchObject([400, /JSON/])
  expect((await get('/v1/nothing')).status).toBe(404)
})

test('the server tells its model, its limits and its version', async () => {
  expect(await json(get('/v1/models'))).toMatchObject({
    data: [{ id: 'fast', max_model_len: 131_072 }],
  })
  const info = await json(get('/get_server_info'))
  expect(info).toMatchObject({
    max_total_num_tokens: 4_000_000,
    max_req_input_len: 131_071,
    internal_states: [{ effective_max_running_requests_per_dp: 256 }],
    version: expect.any(String),
  })
  expect(await json(post('/tokenize', { prompt: 'a'.repeat(9) }))).toMatchObject({
    count: 3,
    tokens: [0, 1, 2],
  })
  expect((await get('/health')).status).toBe(200)
  expect(await (await get('/')).text()).toContain('SGLang')
})

test('metrics carry the names, labels and number format of SGLang', async () => {
  await (await chat({ stream: true, max_tokens: 50 })).text()
  const response = await get('/metrics')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const page = await response.text()
  const rank = 'engine_type="unified",model_name="fast",moe_ep_rank="0",pp_rank="0",tp_rank="0"'
  expect(page).toContain(`\nsglang:num_running_reqs{${rank}} 0.0\n`)
  expect(page).toContain(`\nsglang:max_total_num_tokens{${rank}} 4e+06\n`)
  for (const line of page.trimEnd().split('\n'))
    expect(line).toMatch(
      /^# (HELP|TYPE) sglang:\w+ .+$|^sglang:\w+\{(\w+="[^"]*",?)+\} \d+(\.\d+)?(e[+-]\d\d)?$/,
    )
  expect(metric(page, 'realtime_tokens_total', 'mode="decode"')).toBeGreaterThanOrEqual(49)
  expect(metric(page, 'time_to_first_token_seconds_bucket', 'le="+Inf"')).toBe(
    metric(page, 'time_to_first_token_seconds_count'),
  )
})

test('a new server has gauges but no counter before its first use, and tells only the limit of its launch', async () => {
  const fresh = await startSimulator({ profile: 'qwen3.5-35b-a3b-h200' })
  const page = await (await fetch(`${fresh.url}/metrics`)).text()
  const { internal_states: states, max_running_requests } = await json(fetch(`${fresh.url}/server_info`))
  await fresh.close()
  expect(metric(page, 'num_running_reqs')).toBe(0)
  expect(metric(page, 'spec_accept_length')).toBe(0)
  expect(metric(page, 'realtime_tokens_total')).toBeNull()
  expect([max_running_requests, states[0].effective_max_running_requests_per_dp]).toEqual([32, 32])
})

test('with a key set, everything but metrics and health needs it', async () => {
  const locked = await startSimulator({ profile: 'fast', apiKey: 'secret' })
  const status = async (path: string, headers = {}) => (await fetch(locked.url + path, { headers })).status
  expect(await status('/v1/models', { authorization: 'Bearer secret' })).toBe(200)
  expect([await status('/metrics'), await status('/health')]).toEqual([200, 200])
  const refused = await fetch(`${locked.url}/v1/models`)
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'Unauthorized' }])
  const info = await fetch(`${locked.url}/server_info`, { headers: { authorization: 'Bearer secret' } })
  expect(await info.text()).not.toContain('secret')
  await locked.close()
})

test('an unknown profile and a taken port are said clearly; a closed server is gone', async () => {
  await expect(startSimulator({ profile: 'nope' })).rejects.toThrow(profileNames.join(', '))
  const first = await startSimulator({ profile: 'fast' })
  const port = Number(new URL(first.url).port)
  await expect(startSimulator({ profile: 'fast', port })).rejects.toThrow(`port ${port} is in use`)
  await first.close()
  await expect(fetch(first.url)).rejects.toThrow()
  const second = await startSimulator({ profile: 'fast', port })
  expect(second.url).toBe(first.url)
  await second.close()
})
