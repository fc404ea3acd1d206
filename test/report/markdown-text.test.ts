import { expect, test } from 'vitest'
import { code, codeBlock, sentence } from '../../src/report/markdown-text.ts'

test.each([
  ['Qwen/Qwen3.5', '`Qwen/Qwen3.5`'],
  ['@all <b>', '`@all <b>`'],
  ['a|b', '<code>a&#124;b</code>'],
  ['a\\|b', '<code>a&#92;&#124;b</code>'],
  ['a`<b>', '<code>a&#96;&#60;b&#62;</code>'],
  ['', ''],
])('%j is code that shows it as it is', (text, markdown) => {
  expect(code(text)).toBe(markdown)
})

test.each([
  ['HTTP 503: no *room* for <b>', 'HTTP 503: no \\*room\\* for \\<b\\>'],
  ['ask @me, see #12 or a#1', 'ask `@me,` see `#12` or `a#1`'],
  ['a|b [c](d)', 'a\\|b \\[c\\](d)'],
  ['«a\\b» 12%', '«a\\\\b» 12%'],
])('%j is a sentence without markup', (text, markdown) => {
  expect(sentence(text)).toBe(markdown)
})

test('no text ends a block of code', () => {
  expect(codeBlock('serve ``` x ```` y')).toEqual(['`````sh', 'serve ``` x ```` y', '`````'])
})
