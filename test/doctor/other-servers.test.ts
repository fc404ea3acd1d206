import { expect, test } from 'vitest'
import { type Script, scriptedServer } from '../server/scripted-server.ts'
import { examine, troubles } from './examine.ts'

const chat = '/v1/chat/completions'

function stream(...events: readonly unknown[]): Script[string] {
  const lines = events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  return { headers: { 'content-type': 'text/event-stream' }, body: lines.join('') }
}

const text = (content: string, usage: unknown = null, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  usage,
})

const vllmScript = (answer: Script[string]): Script => ({
  '/v1/models': { body: { data: [{ id: 'org/model', owned_by: 'vllm', max_model_len: 32_768 }] } },
  '/version': { body: { version: '0.22.0' } },
  '/metrics': {
    body: [
      'vllm:num_requests_running{engine="0"} 0',
      'vllm:num_requests_waiting{engine="0"} 2',
      'vllm:generation_tokens_total{engine="0"} 5',
      'vllm:cache_config_info{engine="0",block_size="16",num_gpu_blocks="1000"} 1',
      '',
    ].join('\n'),
  },
  '/tokenize': { body: { count: 1, tokens: [1] } },
  [chat]: answer,
})

test('vLLM is judged by its own names: nothing to abort by, gauges of now, its own flag for cached tokens', async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 16 }
  const { url } = await scriptedServer(vllmScript(stream(text('a', usage, 'length'), '[DONE]')))
  const findings = await examine(url)
  expect(troubles(findings)).toEqual(['running-limit', 'idle', 'cache-report'])
  expect(findings.get('live-requests')).toMatchObject({ status: 'ok' })
  expect(findings.get('kv-cache')).toMatchObject({ saw: '16,000 tokens' })
  expect(findings.get('running-limit')).toMatchObject({ status: 'unknown' })
  expect(findings.get('idle')).toMatchObject({ status: 'warn', saw: expect.stringContaining('2 requests') })
  expect(findings.get('cache-report')).toMatchObject({
    status: 'warn',
    fix: expect.stringContaining('--enable-prompt-tokens-details'),
  })
})

const openaiScript = (answer: Script[string]): Script => ({
  '/v1/models': { body: { data: [{ id: 'any' }] } },
  [chat]: answer,
})

test('an answer that ends early says that ignore_eos is not obeyed', async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 900 } }
  const { url } = await scriptedServer(openaiScript(stream(text('a b c', usage, 'stop'), '[DONE]')))
  expect((await examine(url)).get('answer-length')).toMatchObject({
    status: 'warn',
    saw: '3 of 16 tokens: ignore_eos is not obeyed',
    fix: expect.stringContaining('--respect-eos'),
  })
})

test('an answer without text has no first token', async () => {
  const role = { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }
  const { url } = await scriptedServer(openaiScript(stream(role, text('', null, 'stop'), '[DONE]')))
  expect((await examine(url)).get('first-token')).toMatchObject({ status: 'fail' })
})

test('an answer whose chunks all come at once is not streamed: its first token is not the server’s', async () => {
  const chunks = ['a', 'b', 'c', 'd'].map(word => text(word))
  const { url } = await scriptedServer(openaiScript(stream(...chunks, text('', null, 'length'), '[DONE]')))
  expect((await examine(url)).get('first-token')).toMatchObject({
    status: 'fail',
    saw: expect.stringContaining('all 4 chunks of text came at once'),
    fix: expect.stringContaining('proxy'),
  })
})

test.each([
  ['is not found', { status: 404, body: { detail: 'Not Found' } }, 'HTTP 404', '--endpoint'],
  [
    'refuses the key',
    { status: 401, body: { error: 'Unauthorized' } },
    'HTTP 401: Unauthorized',
    '--api-key',
  ],
  [
    'is a web page',
    { body: '<!DOCTYPE html><title>Sign in</title>' },
    'not an event stream',
    'url is the server’s own',
  ],
  ['never answers', 'hang', 'no first token for 1 s', 'stuck'],
  ['streams no JSON', stream('<html>'), 'not JSON', 'nothing before it changes answers'],
] as const)('a generating page that %s fails by one line', async (_, route, saw, fix) => {
  const { url } = await scriptedServer(openaiScript(route))
  expect((await examine(url)).get('generation')).toMatchObject({
    status: 'fail',
    saw: expect.stringContaining(saw),
    fix: expect.stringContaining(fix),
  })
})

test('of a server that tells nothing, what is unknown is not called missing by a flag of another engine', async () => {
  const { url } = await scriptedServer(openaiScript(stream(text('a', null, 'length'), '[DONE]')))
  for (const { fix } of (await examine(url)).values()) expect(fix ?? '').not.toMatch(/--enable|SGLang to/)
})
