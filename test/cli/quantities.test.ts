import { expect, test } from 'vitest'
import { parseSeconds, parseTokens, parseWords } from '../../src/cli/quantities.ts'

test.each([
  ['0', 0],
  ['8192', 8192],
  ['8k', 8192],
  ['8K', 8192],
  ['1m', 1_048_576],
  ['0.5k', 512],
  [' 4k ', 4096],
])('%j is %i tokens', (text, tokens) => {
  expect(parseTokens(text)).toBe(tokens)
})

test.each(['', '8x', '-1', '1e3', '8 k', 'k', '0.3', '1,2'])('%j is no number of tokens', text => {
  expect(parseTokens(text)).toBeNull()
})

test.each([
  ['30', 30],
  ['30s', 30],
  ['500ms', 0.5],
  ['2m', 120],
  ['1.5h', 5400],
])('%j is %f seconds', (text, seconds) => {
  expect(parseSeconds(text)).toBe(seconds)
})

test.each(['', 'soon', '-1s', '1d', 'NaN'])('%j is no duration', text => {
  expect(parseSeconds(text)).toBeNull()
})

test('lists take commas, spaces or both', () => {
  expect(parseWords('1,2 4, 8,,')).toEqual(['1', '2', '4', '8'])
})
