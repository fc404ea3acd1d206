import { type Element, element } from '../markup.ts'

export type Choice = { readonly value: string; readonly text: string }

/** One of several, all in sight. */
export function segments(name: string, title: string, choices: readonly Choice[], chosen: string): Element {
  return element(
    'fieldset',
    { class: 'segments' },
    element('legend', {}, title),
    choices.map(({ value, text }) =>
      element(
        'label',
        {},
        element('input', { type: 'radio', name, value, checked: value === chosen }),
        element('span', {}, text),
      ),
    ),
  )
}

/** One of many. */
export function dropDown(name: string, title: string, choices: readonly Choice[], chosen: string): Element {
  return element(
    'label',
    { class: 'choice' },
    `${title} `,
    element(
      'select',
      { name },
      choices.map(({ value, text }) => element('option', { value, selected: value === chosen }, text)),
    ),
  )
}
