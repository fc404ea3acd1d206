import { expect, test } from 'vitest'
import { readChatChunk } from '../../src/load/chat-chunk.ts'

const chunk = (value: unknown) => readChatChunk(JSON.stringify(value))
const delta = (fields: object) => chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] })

test.each([
  ['an answer', { content: 'a' }],
  ['reasoning as SGLang names it', { content: null, reasoning_content: 'a' }],
  ['reasoning as vLLM names it', { reasoning: 'a' }],
  ['a tool call', { tool_calls: [{ index: 0, function: { arguments: '' } }] }],
  ['a blank', { content: ' ' }],
])('%s is output', (_, fields) => {
  expect(delta(fields)).toMatchObject({ hasOutput: true, completionTokens: null, error: null })
})

test('the text of the completions endpoint is output, an empty one is not', () => {
  const text = (words: string) => chunk({ choices: [{ index: 0, text: words, finish_reason: null }] })
  expect([text(' vukona')?.hasOutput, text('')?.hasOutput]).toEqual([true, false])
})

test.each([
  ['a role', { role: 'assistant', content: '' }],
  ['the role of llama.cpp', { role: 'assistant', content: null }],
  ['nulls', { content: null, reasoning_content: null, tool_calls: null }],
  ['no tool calls', { tool_calls: [] }],
  ['an empty delta', {}],
])('%s alone is no output', (_, fields) => {
  expect(delta(fields)?.hasOutput).toBe(false)
})

test.each([
  ['an answer', { content: 'ab' }, 'ab'],
  ['reasoning', { content: null, reasoning_content: 'ab' }, 'ab'],
  ['the same text under two names, once', { reasoning_content: 'ab', reasoning: 'ab' }, 'ab'],
  ['a tool call, none', { tool_calls: [{ index: 0 }] }, ''],
])('the text is that of %s', (_, fields, text) => {
  expect(delta(fields)?.text).toBe(text)
})

test('usage alone is no output, and gives the counts', () => {
  const usage = {
    prompt_tokens: 611,
    total_tokens: 613,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 512, created_cache_tokens: 0 },
  }
  expect(chunk({ choices: [], usage })).toEqual({
    hasOutput: false,
    text: '',
    completionTokens: 2,
    promptTokens: 611,
    cachedTokens: 512,
    finishReason: null,
    error: null,
  })
})

test.each([
  ['null', null],
  ['absent', undefined],
  ['of another shape', { completion_tokens: '3', prompt_tokens: null, prompt_tokens_details: null }],
])('counts are unknown, not zero, where usage is %s', (_, usage) => {
  expect(chunk({ choices: [{ delta: { content: 'a' } }], usage })).toMatchObject({
    hasOutput: true,
    completionTokens: null,
    promptTokens: null,
    cachedTokens: null,
  })
})

test('the finish reason is read with and without text beside it', () => {
  const text = chunk({ choices: [{ delta: { content: 'p' }, finish_reason: 'length', stop_reason: null }] })
  const bare = chunk({ choices: [{ finish_reason: 'abort', index: 0, delta: {} }] })
  expect([text?.finishReason, bare?.finishReason, delta({})?.finishReason]).toEqual(['length', 'abort', null])
})

test.each([
  [
    'nested',
    { error: { message: 'EngineCore encountered an issue.', code: 500 } },
    'EngineCore encountered an issue.',
  ],
  ['flat', { object: 'error', message: 'too long', type: 'BadRequest', code: 400 }, 'too long'],
  ['a bare string', { error: 'Unauthorized' }, 'Unauthorized'],
  ['without a message', { error: { code: 500 } }, 'error without a message'],
])('an error that is %s is told in the words of the server', (_, body, message) => {
  expect(chunk(body)).toMatchObject({ error: message, hasOutput: false })
})

test('a chunk with a message or a null error is not an error', () => {
  expect(chunk({ message: 'hello', error: null, choices: [] })?.error).toBeNull()
})

test.each(['', 'null', '[]', '3', '"text"', '{', '<html>'])('%j is not a chunk', data => {
  expect(readChatChunk(data)).toBeNull()
})

test.each([{}, { choices: null }, { choices: [null] }, { choices: ['a'] }, { choices: [{ delta: 'a' }] }])(
  '%j holds nothing, and does no harm',
  value => {
    expect(chunk(value)).toMatchObject({ hasOutput: false, completionTokens: null, finishReason: null })
  },
)
