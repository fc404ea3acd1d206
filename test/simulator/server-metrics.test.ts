import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, chatStream, metric } from './client.ts'
import { type Launched, launched } from './launched.ts'

let server: Launched
let client: Client

beforeAll(async () => {
  server = await launched()
  client = server.client
  await client.post('/v1/chat/completions', chatStream(50))
})

afterAll(() => server[Symbol.asyncDispose]())

const textType = 'text/plain; version=0.0.4; charset=utf-8'

test('metrics carry the names, labels and number format of SGLang', async () => {
  const { headers, text: page } = await client.get('/metrics')
  expect(headers['content-type']).toBe(textType)
  const rank = 'engine_type="unified",model_name="fast",moe_ep_rank="0",pp_rank="0",tp_rank="0"'
  expect(page).toContain(`\nsglang:num_running_reqs{${rank}} 0.0\n`)
  expect(page).toContain(`\nsglang:max_total_num_tokens{${rank}} 4e+06\n`)
  expect(page).toContain(`\nsglang:fwd_occupancy{${rank}} NaN\n`)
  for (const line of page.trimEnd().split('\n'))
    expect(line).toMatch(
      /^# (HELP|TYPE) sglang:\w+ .+$|^sglang:\w+\{(\w+="[^"]*",?)+\} (NaN|\d+(\.\d+)?(e[+-]\d\d)?)$/,
    )
  expect(metric(page, 'realtime_tokens_total', 'mode="decode"')).toBe(49)
  expect(metric(page, 'generation_tokens_total', 'is_streaming="true"')).toBe(50)
  expect(metric(page, 'time_to_first_token_seconds_bucket', 'le="+Inf"')).toBe(
    metric(page, 'time_to_first_token_seconds_count'),
  )
  expect(page).toMatch(/\nsglang:num_retracted_reqs\{[^}]*,pid="910",[^}]*\} 0\.0\n/)
})

test('the page answers a POST and with a slash at its end', async () => {
  for (const answer of [await client.send('POST', '/metrics', '', {}), await client.get('/metrics/')])
    expect([answer.status, answer.headers['content-type']]).toEqual([200, textType])
})

test('a client that prefers OpenMetrics gets it', async () => {
  const { headers, text } = await client.get('/metrics', { accept: 'application/openmetrics-text;q=0.8' })
  expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(text).toContain('# TYPE sglang:num_requests counter\n')
  expect(text).toMatch(/\nsglang:num_requests_total\{/)
  expect(text).toMatch(/\n# EOF\n$/)
})

test('a new server has gauges but no counter before its first use', async () => {
  await using fresh = await launched({ profile: 'qwen3.5-35b-a3b-h200' })
  const page = (await fresh.client.get('/metrics')).text
  expect(metric(page, 'num_running_reqs')).toBe(0)
  expect(metric(page, 'spec_accept_length')).toBe(0)
  expect(metric(page, 'mamba_used_tokens')).toBe(0)
  expect(metric(page, 'realtime_tokens_total')).toBeNull()
})

test('with several ranks each has its series and pid, and requests are counted once', async () => {
  await using other = await launched({ dataParallelRanks: 2 })
  await other.client.post('/v1/chat/completions', chatStream(5))
  const page = (await other.client.get('/metrics')).text
  const running = page.split('\n').filter(line => line.startsWith('sglang:num_running_reqs{'))
  expect(running).toEqual(
    ['0', '1'].map(
      rank =>
        `sglang:num_running_reqs{dp_rank="${rank}",engine_type="unified",model_name="fast",` +
        `moe_ep_rank="0",pp_rank="0",tp_rank="${rank}"} 0.0`,
    ),
  )
  expect(page.match(/sglang:num_paused_reqs\{[^}]*pid="91[01]"/g)).toHaveLength(2)
  expect(page.match(/\nsglang:num_requests_total\{/g)).toHaveLength(1)
})

test('the oldest server has a few names without ranks, and its ranks write over one another', async () => {
  await using oldest = await launched({ dialect: 'v0.4', dataParallelRanks: 2 })
  await oldest.client.post('/v1/chat/completions', chatStream(50))
  const page = (await oldest.client.get('/metrics')).text
  expect(page).toContain('\nsglang:num_running_reqs{engine_type="unified",model_name="fast"} 0.0\n')
  expect(page).toContain('\nsglang:generation_tokens_total{model_name="fast"} 50.0\n')
  expect(page.match(/\nsglang:num_running_reqs\{/g)).toHaveLength(1)
  for (const newer of ['realtime_tokens_total', 'full_token_usage', 'kv_used_tokens', 'inter_token_latency'])
    expect(page).not.toContain(newer)
})

test('gauges of a server that fell idle stay those of its last step before 0.5.17, and are right since', async () => {
  const afterLoad = async (dialect: string) => {
    await using other = await launched({ dialect })
    // The 40th decode step publishes one running request; it ends with the 60th.
    await other.client.post('/v1/chat/completions', chatStream(61))
    const page = (await other.client.get('/metrics')).text
    return [metric(page, 'num_running_reqs'), (metric(page, 'gen_throughput') ?? 0) > 0]
  }
  expect(await afterLoad('v0.4')).toEqual([1, true])
  expect(await afterLoad('v0.5.9')).toEqual([1, true])
  expect(await afterLoad('v0.5.20')).toEqual([0, false])
})
