import { type Element, element, type Markup } from './markup.ts'

/** A part of the page under a heading. */
export function section(id: string, title: string, ...contents: readonly Markup[]): Element {
  return element(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    contents,
  )
}
