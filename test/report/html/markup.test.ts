import { expect, test } from 'vitest'
import { element, toHtml } from '../../../src/report/html/markup.ts'

test('texts and attributes cannot become markup', () => {
  expect(toHtml(element('p', { title: `"><b a='x'>` }, '<b>&amp;', "'"))).toBe(
    '<p title="&quot;&gt;&lt;b a=&#39;x&#39;&gt;">&lt;b&gt;&amp;amp;&#39;</p>',
  )
})

test('an attribute that is true has no value; null and false are none; 0 is one', () => {
  expect(toHtml(element('input', { checked: true, disabled: false, name: null, value: 0 }))).toBe(
    '<input checked value="0">',
  )
})

test('lists and nothing may stand in contents', () => {
  expect(toHtml([element('i', {}, null, ['a', [element('b', {})]]), 'c'])).toBe('<i>a<b></b></i>c')
})
