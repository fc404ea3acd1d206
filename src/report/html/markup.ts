/**
 * A piece of the page: a text, an element, or several of them. One description for both places where it is drawn, so
 * that texts are escaped here and become text nodes in the browser, and nothing else ever makes HTML out of data.
 */
export type Markup = string | Element | null | readonly Markup[]

export type Element = {
  readonly tag: string
  readonly attributes: Attributes
  readonly contents: readonly Markup[]
}

/** `true`: an attribute without a value; `null` and `false`: none. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

export function element(tag: string, attributes: Attributes, ...contents: readonly Markup[]): Element {
  return { tag, attributes, contents }
}

/** For one who hears the page and does not see it. */
export function spoken(text: string): Element {
  return element('span', { class: 'spoken' }, text)
}

const empty = new Set(['meta', 'br', 'input', 'col', 'wbr'])

/** The markup as HTML; all texts and attributes escaped. */
export function toHtml(markup: Markup): string {
  if (markup === null) return ''
  if (typeof markup === 'string') return escapeText(markup)
  if (isList(markup)) return markup.map(toHtml).join('')
  const { tag, attributes, contents } = markup
  const told = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`))
    .join('')
  return empty.has(tag) ? `<${tag}${told}>` : `<${tag}${told}>${toHtml(contents)}</${tag}>`
}

export function isList(markup: Markup): markup is readonly Markup[] {
  return Array.isArray(markup)
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => escapes[character] ?? character)
}
