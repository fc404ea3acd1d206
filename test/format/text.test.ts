import { expect, test } from 'vitest'
import { toAscii } from '../../src/format/ascii.ts'
import { cleanText } from '../../src/format/clean-text.ts'
import { table } from '../../src/format/table.ts'
import { cut, pad, textWidth } from '../../src/format/text-width.ts'

test.each([
  ['plain', 5],
  ['千問', 4],
  ['한글', 4],
  ['e\u0301', 1],
  ['🚀', 2],
  ['━╌▁█·–►', 7],
  ['', 0],
])('%s takes %i columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns)
})

test('text is cut and padded to columns, not to characters', () => {
  expect(cut('Qwen', 4)).toBe('Qwen')
  expect(cut('Qwen3', 4)).toBe('Qwe…')
  expect(cut('千問モデル', 6)).toBe('千問…')
  expect(cut('anything', 0)).toBe('')
  expect(pad('千問', 6)).toBe('千問  ')
  expect(pad('94', 4, 'right')).toBe('  94')
})

test.each([
  ['colours', 'a\u001b[31mred\u001b[0m b', 'ared b'],
  ['cursor moves and clears', '\u001b[2J\u001b[1;1Hx', 'x'],
  ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
  ['8-bit sequences', '\u009b31mred\u009d0;title\u009c!', 'red!'],
  ['control characters', 'a\u0000\u0008b\r\nc\td', 'a b c d'],
  ['text direction', 'a\u202eb\u2066c', 'abc'],
  ['zero width', 'a\u200bb\u200dc\ufeff', 'abc'],
  ['broken surrogates', 'a\ud800b', 'ab'],
  ['piles of marks', 'z\u0301\u0302\u0303\u0304', 'z\u0301\u0302'],
])('cleaning takes out %s', (_, text, clean) => {
  expect(cleanText(text)).toBe(clean)
})

test('without UTF-8 every text keeps its columns', () => {
  expect(toAscii('KV ━━╌╌ 12% ▁▄█ – 8K × 4')).toBe('KV ==.. 12% _=# - 8K x 4')
  expect(toAscii('千 ok')).toBe('?? ok')
})

test('a table aligns its columns and leaves no blanks at the end of a line', () => {
  const columns = [
    { title: 'ctx', align: 'right' },
    { title: 'note', align: 'left' },
  ] as const
  expect(
    table(columns, [
      ['8K', 'fine'],
      ['1019K', ''],
    ]),
  ).toEqual(['  ctx  note', '   8K  fine', '1019K'])
})
