import { expect, test } from 'vitest'
import { seededRandom } from '../../src/domain/stagger.ts'
import { readChatChunk } from '../../src/load/chat-chunk.ts'
import { ChunkReader } from '../../src/load/chunk-reader.ts'
import { ChunkShape } from '../../src/load/chunk-shape.ts'

type Chunk = {
  readonly text: string
  readonly tokens?: unknown
  readonly more?: object
  readonly id?: string
}

/** As SGLang sends it. */
function sglang({ text, tokens = 1, more = {}, id = 'a-1' }: Chunk): string {
  const delta = { role: null, content: text, reasoning_content: null, tool_calls: null }
  return JSON.stringify({
    id,
    object: 'chat.completion.chunk',
    created: 1_764_000_000,
    model: 'a/b(c)-1.5[d]',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, matched_stop: null }],
    usage: { prompt_tokens: 611, total_tokens: 613, completion_tokens: tokens, prompt_tokens_details: null },
    ...more,
  })
}

/** Each of the data is read by one reader, in this order, as the parser reads it alone. */
function expectAlike(...data: readonly string[]): void {
  const reader = new ChunkReader(0)
  for (const one of data) expect(reader.read(one), one).toEqual(readChatChunk(one))
}

function shapeOf(data: string): ChunkShape | null {
  const chunk = readChatChunk(data)
  return chunk === null ? null : ChunkShape.of(data, chunk)
}

test('a chunk of the shape of another is read without the parser: text and counts are its own', () => {
  const shape = shapeOf(sglang({ text: ' the', tokens: 3 }))
  expect(shape?.read(sglang({ text: ' (lamp) $1', tokens: 12, id: 'b-2' }))).toEqual({
    hasOutput: true,
    text: ' (lamp) $1',
    completionTokens: 12,
    promptTokens: 611,
    cachedTokens: null,
    finishReason: null,
    error: null,
  })
})

test.each([
  ['an end', sglang({ text: 'a' }).replace('"finish_reason":null', '"finish_reason":"stop"')],
  ['an error', sglang({ text: 'a', more: { error: 'none left' } })],
  ['a text that needs escapes', sglang({ text: 'a "b"' })],
  ['a text that is one of the keys', sglang({ text: 'model' })],
  ['a text that stands before it', sglang({ text: 'a-1' })],
  [
    'a count that stands twice',
    sglang({ text: 'a', more: { x_completion: { completion_tokens: 8 } } }).replace(
      '"usage"',
      '"more":{"completion_tokens":4},"usage"',
    ),
  ],
  ['more characters than a token or two', sglang({ text: 'a'.repeat(5000) })],
])('a chunk with %s has no shape', (_, data) => {
  expect(shapeOf(data)).toBeNull()
})

test('what differs in anything else is parsed', () => {
  const first = sglang({ text: 'a' })
  expectAlike(
    first,
    first.replace('"finish_reason":null', '"finish_reason":"length"'),
    first.replace('"reasoning_content":null', '"reasoning_content":"b"'),
    first.replace('"content":"a"', '"content":""'),
    first.replace('"content":"a"', '"content":null,"reasoning":"b"'),
    first.replace('"content":"a"', String.raw`"content":"é\n\"x\""`),
    first.replace('"content":"a"', '"content":"a\nb"'),
    first.replace('"content":"a"', '"content":"a","content":"b"'),
    first.replace(':613', ':1e3').replace('"completion_tokens":1', '"completion_tokens":2'),
    first.replace('"completion_tokens":1', '"completion_tokens":01'),
    first.replace('"completion_tokens":1', '"completion_tokens":1.5'),
    first.replace('"completion_tokens":1', '"completion_tokens":-1'),
    first.replace('"completion_tokens":1', '"completion_tokens":9007199254740993'),
    first.replace('"completion_tokens":1', '"completion_tokens":null'),
    first.replace('"completion_tokens":1', '"completion_tokens": 1'),
    first.replace('"prompt_tokens_details":null', '"prompt_tokens_details":{"cached_tokens":512}'),
    first.replace(/"usage".*/, '"usage":null}'),
    `${first} `,
    first.slice(0, -1),
    `[${first}]`,
    JSON.stringify({ error: { message: 'a' } }),
    '',
  )
})

test('a chunk of which any one character is another, or lacks, is read as the parser reads it', () => {
  const random = seededRandom(5)
  const pick = (count: number) => Math.floor(random() * count)
  const alphabet = '"\\\\{}[]:,.-+ 0159eaé\n\0'
  const chunks = [
    sglang({ text: 'lamp', tokens: 10 }),
    sglang({ text: 'ü', tokens: 7, more: { usage: { completion_tokens: 7 } } }),
    '{"id":"x","choices":[{"text":" fox","finish_reason":null}],"n":0,"usage":{"cached_tokens":3}}',
  ]
  for (const chunk of chunks) {
    const changed = Array.from({ length: 2000 }, () => {
      const at = pick(chunk.length)
      const other = pick(3) === 0 ? '' : (alphabet[pick(alphabet.length)] ?? '')
      return chunk.slice(0, at) + other + chunk.slice(at + pick(2))
    })
    expectAlike(chunk, ...changed)
  }
})
