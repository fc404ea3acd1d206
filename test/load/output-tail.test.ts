import { expect, test } from 'vitest'
import { findLoop, OutputTail } from '../../src/load/output-tail.ts'

/** Text without repetition. */
const fresh = (chars: number) =>
  Array.from({ length: Math.ceil(chars / 6) }, (_, index) => `${index}`.padStart(6, '.'))
    .join('')
    .slice(0, chars)

test.each([
  ['one character', 'a', 1],
  ['a word', 'ha ha! ', 7],
  ['a piece with itself inside', 'abcabcd', 7],
  ['a long piece', fresh(4000), 4000],
])('%s again and again over 4,096 characters is a loop, told by its length', (_, piece, periodChars) => {
  const text = `${fresh(50)}${piece.repeat(Math.ceil((4096 + periodChars) / piece.length) + 1)}`
  expect(findLoop(text)?.periodChars).toBe(periodChars)
})

test('4,095 characters repeated are none, 4,096 are one', () => {
  const repeated = 'abcdefgh'.repeat(600)
  expect(findLoop(`#${repeated.slice(-(8 + 4095))}`)).toBeNull()
  expect(findLoop(`#${repeated.slice(-(8 + 4096))}`)).toEqual({ periodChars: 8, example: 'abcdefgh' })
})

test('text that differs in one character, or ended its loop, is none', () => {
  const loop = 'abcdefgh'.repeat(1000)
  expect(findLoop(`${loop.slice(0, 5000)}!${loop.slice(0, 3000)}`)).toBeNull()
  expect(findLoop(`${loop}!`)).toBeNull()
  expect(findLoop('')).toBeNull()
})

test('an answer that comes piece by piece is found looping, and stays so', () => {
  const tail = new OutputTail()
  for (const word of fresh(3000).match(/.{1,5}/g) ?? []) tail.add(word)
  expect(tail.loop).toBeNull()
  for (let n = 0; n < 3000; n++) tail.add('ha ')
  expect(tail.loop?.periodChars).toBe(3)
  tail.add(fresh(9000))
  expect(tail.loop?.periodChars).toBe(3)
})

test('the last characters of an answer can be looked at, however long it was', () => {
  const tail = new OutputTail()
  for (let n = 0; n < 50_000; n++) tail.add(`${n} `)
  expect(tail.last(12)).toBe('49998 49999 ')
})
