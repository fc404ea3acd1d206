import { expect, test } from 'vitest'
import { RequestBody } from '../../src/load/request-body.ts'
import { targetAt } from '../support/load-target.ts'

const rid = 'tgabcdef12-000-000000001'
const nextRid = 'tgabcdef12-000-000000002'
const target = targetAt('http://127.0.0.1:1')
const parsed = ({ bytes }: RequestBody) => JSON.parse(bytes.toString('utf8'))

test('a chat request asks for a stream with usage in every chunk', () => {
  const body = new RequestBody(target, 'hello')
  body.set(rid, 4096)
  expect(parsed(body)).toEqual({
    rid,
    max_tokens: 4096,
    model: 'tiny',
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
    ignore_eos: true,
    messages: [{ role: 'user', content: 'hello' }],
  })
})

test('a completions request carries the prompt, the temperature and what the user adds', () => {
  const body = new RequestBody(
    { ...target, endpoint: 'completions', temperature: 0.6, ignoreEos: false, extraBody: { top_k: 20 } },
    'hello',
  )
  body.set(rid, 1)
  expect(parsed(body)).toEqual({
    rid,
    max_tokens: 1,
    model: 'tiny',
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
    temperature: 0.6,
    top_k: 20,
    prompt: 'hello',
  })
})

test('a server that cannot abort by rid gets none', () => {
  const body = new RequestBody({ ...target, abortPath: null }, 'hello')
  body.set(rid, 12)
  expect(parsed(body)).not.toHaveProperty('rid')
  expect(parsed(body).max_tokens).toBe(12)
})

test.each([
  'quotes " and \\ and "max_tokens":1, and "rid":"x"',
  'naïve 東京 🚄 \u{2028}\u{2029} \n\t\u{0}',
  'half a pair \u{d83d}',
  '',
])('rid and length are replaced in place, and the prompt %j stays', prompt => {
  const body = new RequestBody(target, prompt)
  const { bytes } = body
  const length = bytes.length
  body.set(rid, 12_345_678)
  const first = parsed(body)
  body.set(nextRid, 7)
  expect(first).toMatchObject({ rid, max_tokens: 12_345_678, messages: [{ content: prompt }] })
  expect(parsed(body)).toMatchObject({ rid: nextRid, max_tokens: 7, messages: [{ content: prompt }] })
  expect(body.bytes).toBe(bytes)
  expect(bytes).toHaveLength(length)
})

test('a rid of another width is refused: it would overwrite what stands beside it', () => {
  expect(() => new RequestBody(target, '').set('short', 1)).toThrow(RangeError)
})
