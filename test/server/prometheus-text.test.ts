import { expect, test } from 'vitest'
import { parsePrometheusText } from '../../src/server/prometheus-text.ts'

const one = (name: string, labels: Record<string, string>, value: number) => [{ name, labels, value }]

test.each([
  ['a bare series', 'up 1', one('up', {}, 1)],
  ['labels in their order', 'm{b="2",a="1"} 3', one('m', { b: '2', a: '1' }, 3)],
  ['escapes in a label value', 'm{a="x\\"y\\\\z\\nq"} 1', one('m', { a: 'x"y\\z\nq' }, 1)],
  ['a label value that ends in a backslash', 'm{a="x\\\\"} 1', one('m', { a: 'x\\' }, 1)],
  ['braces, commas and hashes in a label value', 'm{a="{}, # 1"} 1', one('m', { a: '{}, # 1' }, 1)],
  ['an empty label value', 'm{priority=""} 1', one('m', { priority: '' }, 1)],
  ['empty braces', 'm{} 1', one('m', {}, 1)],
  ['a trailing comma', 'm{a="1",} 1', one('m', { a: '1' }, 1)],
  ['spaces all around', '  m { a = "1" , b = "2" }   1  ', one('m', { a: '1', b: '2' }, 1)],
  ['tabs', 'm\t1\t2', one('m', {}, 1)],
  ['an exponent', 'm 8.128902e+06', one('m', {}, 8_128_902)],
  ['a small exponent', 'm 5E-3', one('m', {}, 0.005)],
  ['a negative number', 'm -1', one('m', {}, -1)],
  ['no digit in front of the point', 'm .5', one('m', {}, 0.5)],
  ['NaN', 'm NaN', one('m', {}, Number.NaN)],
  ['Nan', 'm Nan', one('m', {}, Number.NaN)],
  ['+Inf', 'm +Inf', one('m', {}, Number.POSITIVE_INFINITY)],
  ['-Inf', 'm -Inf', one('m', {}, Number.NEGATIVE_INFINITY)],
  ['a timestamp', 'm{a="1"} 1.5e+03 1700000000000', one('m', { a: '1' }, 1500)],
  ['an exemplar', 'm_bucket{le="1"} 4 # {trace_id="abc"} 0.3', one('m_bucket', { le: '1' }, 4)],
  ['colons in a name', 'sglang:token_usage 0.5', one('sglang:token_usage', {}, 0.5)],
  ['underscores in a name', 'sglang_token_usage 1', one('sglang_token_usage', {}, 1)],
  [
    'a label named like a property of every object',
    'm{constructor="c"} 1',
    one('m', { constructor: 'c' }, 1),
  ],
])('reads %s', (_, text, expected) => {
  expect(parsePrometheusText(text)).toEqual(expected)
})

test.each([
  'm',
  'm{a="1"}',
  'm{a="1} 2',
  'm{a=1} 2',
  'm{a="1" 2',
  'm one',
  'm 0x10',
  'm 1e',
  'm-1 2',
  '1m 2',
  '{"m"} 1',
  '<html>',
  '[]',
  '# EOF',
  '# HELP m 1',
  '',
  '   ',
])('leaves out %j and goes on', line => {
  expect(parsePrometheusText(`${line}\nup 1`)).toEqual(one('up', {}, 1))
})

test('reads a page with Windows line ends and none at its end', () => {
  expect(parsePrometheusText('# TYPE a gauge\r\na 1\r\n\r\nb{c="d"} 2').map(({ value }) => value)).toEqual([
    1, 2,
  ])
})

test('keeps duplicates, and buckets that differ by one label only', () => {
  const text = 'h_bucket{le="1"} 4\nh_bucket{le="+Inf"} 7\nh_bucket{le="1"} 5'
  expect(parsePrometheusText(text).map(({ labels, value }) => [labels.le, value])).toEqual([
    ['1', 4],
    ['+Inf', 7],
    ['1', 5],
  ])
})

test.each([
  ['backslashes', `m{a="${'\\'.repeat(2_000_000)}`],
  ['escaped quotes', `m{a="${'\\"'.repeat(1_000_000)}`],
  ['quotes', `m{a="${'"'.repeat(2_000_000)}`],
  ['spaces', `m{${' '.repeat(2_000_000)}`],
  ['commas', `m{a="1"${','.repeat(2_000_000)}`],
  ['digits', `m ${'1'.repeat(2_000_000)}x`],
])('takes no more than its time over millions of %s', (_, text) => {
  const startedAt = performance.now()
  expect(parsePrometheusText(text)).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
