import { expect, test } from 'vitest'
import { instruction } from '../../src/load/corpus.ts'
import { type PromptSource, promptSet, promptText } from '../../src/load/prompt.ts'

const source: PromptSource = { nonce: '0badcafe', seed: 1, text: null }
const stream = (index: number, chars: number, of = source) =>
  promptText(of, { stream: index, cold: null, chars })
const cold = (index: number, chars: number) => promptText(source, { stream: 0, cold: index, chars })
const ending = `\n\n${instruction}`
/** Length of the longest common beginning. */
function common(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

test.each([600, 2000, 36_001, 250_000])('a prompt of %i characters has exactly that many', chars => {
  expect(stream(3, chars)).toHaveLength(chars)
  expect(cold(3, chars)).toHaveLength(chars)
})

test('a prompt without room for a text is its head and the instruction', () => {
  expect(stream(0, 0)).toBe(`[0badcafe stream 0]\n${instruction}`)
})

test('the longer prompt of a stream begins with all of the shorter but its instruction', () => {
  const [short, long] = [stream(5, 4000), stream(5, 8000)]
  expect(short.endsWith(ending)).toBe(true)
  expect(long.startsWith(short.slice(0, -ending.length))).toBe(true)
})

test('streams, cold prompts and runs share no more than the head that tells them apart', () => {
  const head = '[0badcafe stream '.length
  const texts = [...Array(40).keys()].map(index => stream(index, 3000))
  const chilled = [...Array(40).keys()].map(index => cold(index, 3000))
  for (const [index, text] of texts.entries()) {
    for (const other of texts.slice(index + 1)) expect(common(text, other)).toBeLessThanOrEqual(head + 1)
    for (const other of chilled) expect(common(text, other)).toBeLessThan(head)
  }
  expect(common(stream(0, 3000), stream(0, 3000, { ...source, nonce: 'feedbeef' }))).toBe(1)
})

test('each stream and each cold prompt has a text of its own', () => {
  const texts = [0, 1, 2, 3].flatMap(index => [stream(index, 3000), cold(index, 3000)])
  const bodies = texts.map(text => text.slice(text.indexOf(']')))
  for (const [index, body] of bodies.entries())
    for (const other of bodies.slice(index + 1)) expect(common(body, other)).toBeLessThan(200)
})

test('the seed fixes the text, and another seed gives another', () => {
  expect(stream(2, 3000, { ...source })).toBe(stream(2, 3000))
  const body = (seed: number) => stream(2, 3000, { ...source, seed }).slice(20)
  expect(common(body(2), body(1))).toBeLessThan(200)
})

test('the text of a stream has no period: no 200 characters of it come twice', () => {
  const text = stream(7, 200_000)
  const seen = new Set<string>()
  for (let at = 0; at + 200 <= text.length; at += 100) {
    const part = text.slice(at, at + 200)
    expect(text.indexOf(part, at + 1)).toBe(-1)
    seen.add(part)
  }
  expect(seen.size).toBe(1999)
})

test("a user's text is repeated to length, without half characters at the cut", () => {
  const file = { ...source, text: 'päron 🚄 ' }
  for (let chars = 600; chars < 620; chars++) {
    const text = stream(0, chars, file)
    expect(text).toHaveLength(chars)
    expect(text.isWellFormed()).toBe(true)
    expect(text.startsWith('[0badcafe stream 0]\npäron 🚄 päron 🚄 ')).toBe(true)
  }
})

test("the prompt set's hash tells texts apart, and not runs", () => {
  const own = promptSet(source)
  const file = promptSet({ ...source, text: 'päron' })
  expect(own).toEqual({ version: '1', hash: expect.stringMatching(/^[0-9a-f]{16}$/), nonce: '0badcafe' })
  expect(promptSet({ nonce: 'feedbeef', seed: 2, text: null }).hash).toBe(own.hash)
  expect(file.version).toBe('file')
  expect(new Set([own.hash, file.hash, promptSet({ ...source, text: 'paron' }).hash]).size).toBe(3)
})
