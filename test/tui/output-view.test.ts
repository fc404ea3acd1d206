import { expect, test } from 'vitest'
import { outputText } from '../../src/tui/output-view.ts'

const shown = (text: string | null, width = 20) =>
  outputText(text, width).lines.map(line => line.map(span => span.text).join(''))

test('what would move, colour, hide or reverse something is made visible', () => {
  expect(shown('\u001b[2Jx')).toEqual(['␛[2Jx'])
  expect(shown('a\u0007\u0000\u007f')).toEqual(['a␇␀␡'])
  expect(shown('\u009b31m')).toEqual(['\ufffd31m'])
  expect(shown('ab\u202ec\u200bd')).toEqual(['ab\ufffdc\ufffdd'])
})

test('lines end where the model ended them, also by CR LF; a lone CR is told', () => {
  expect(shown('a\r\nb\n\nc\rd')).toEqual(['a', 'b', '', 'c␍d'])
})

test('long lines are broken at the width, wide characters are never cut in two', () => {
  expect(shown('abcdefgh', 5)).toEqual(['abcde', 'fgh'])
  expect(shown('模型模型', 5)).toEqual(['模型', '模型'])
})

test('the end of the text is seen first', () => {
  expect(outputText('a', 20).startsAt).toBe('end')
})

test('without a text it says so', () => {
  expect(shown(null, 60)).toEqual(['no model output to look at yet'])
  expect(shown('', 60)).toEqual(['no model output to look at yet'])
})
