import { expect, test } from 'vitest'
import { wrap, wrapList } from '../../src/format/wrap.ts'

test('a text is broken between words, and no line is wider than asked', () => {
  expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
  expect(wrap('the quick brown fox', 80)).toEqual(['the quick brown fox'])
})

test('a word that is wider than a line is cut', () => {
  expect(wrap('a incomprehensible b', 6)).toEqual(['a', 'incom…', 'b'])
})

test('wide characters count twice', () => {
  expect(wrap('模型 通義', 5)).toEqual(['模型', '通義'])
})

test('nothing gives no line', () => {
  expect(wrap('  ', 10)).toEqual([])
})

test('a list is broken between its parts, a part only where it is longer than a line', () => {
  expect(wrapList(['accepted 2.84', 'retracted 0', 'KV 5%'], 21)).toEqual([
    'accepted 2.84,',
    'retracted 0, KV 5%',
  ])
  expect(wrapList(['one', 'two three four', 'five'], 10)).toEqual(['one,', 'two three', 'four, five'])
  expect(wrapList([], 10)).toEqual([])
})
