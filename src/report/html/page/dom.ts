import { isList, type Markup } from '../markup.ts'

const svg = 'http://www.w3.org/2000/svg'

/** The markup as nodes; texts become text nodes and never HTML. */
export function toNodes(markup: Markup, isSvg = false): readonly Node[] {
  if (markup === null) return []
  if (typeof markup === 'string') return [document.createTextNode(markup)]
  if (isList(markup)) return markup.flatMap(part => toNodes(part, isSvg))
  const { tag, attributes, contents } = markup
  const isInSvg = isSvg || tag === 'svg'
  const node = isInSvg ? document.createElementNS(svg, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  node.append(...toNodes(contents, isInSvg))
  return [node]
}

/** Puts the markup in place of what the element held. */
export function fill(place: Element, markup: Markup): void {
  place.replaceChildren(...toNodes(markup))
}

/** The element with the id; an empty one that stands nowhere when the page has none. */
export function place(id: string): HTMLElement {
  return document.getElementById(id) ?? document.createElement('div')
}
