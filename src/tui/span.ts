import { cut, textWidth } from '../format/text-width.ts'

/** From the worst of a matrix to the best. */
export const heatStyles = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const

/** A course inside a block of that heat: seen, but quieter than the figures. */
export const courseStyles = ['course0', 'course1', 'course2', 'course3', 'course4', 'course5'] as const

/** What a piece of text means; the theme decides how that looks. */
export type Style =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'title'
  | 'good'
  | 'warn'
  | 'bad'
  | 'live'
  | 'reached'
  | 'selected'
  | 'badge'
  | 'series'
  | (typeof heatStyles)[number]
  | (typeof courseStyles)[number]

export type Span = { readonly text: string; readonly style: Style }

/** One line of the screen. Text and style stay apart, so that widths are counted on text alone. */
export type Line = readonly Span[]

export function span(text: string, style: Style = 'plain'): Span {
  return { text, style }
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + textWidth(text), 0)
}

/** The line in exactly `width` columns. */
export function fitLine(line: Line, width: number): Line {
  const kept: Span[] = []
  let left = width
  for (const { text, style } of line) {
    if (left <= 0) break
    const part = cut(text, left)
    kept.push({ text: part, style })
    left -= textWidth(part)
  }
  return left > 0 ? [...kept, span(' '.repeat(left))] : kept
}

/** Two parts at the ends of one line; the right one gives way when there is no room for both. */
export function spread(left: Line, right: Line, width: number, fill: Span = span(' ')): Line {
  const space = width - lineWidth(left) - lineWidth(right)
  if (space < 1) return fitLine(left, width)
  return [...left, { ...fill, text: fill.text.repeat(space) }, ...right]
}

/** Exactly `height` lines; what is too much is cut from the end. */
export function fitHeight(lines: readonly Line[], height: number): readonly Line[] {
  const kept = lines.slice(0, Math.max(0, height))
  return [...kept, ...Array.from({ length: Math.max(0, height - kept.length) }, (): Line => [])]
}

/**
 * A panel's first line: its name, what it is about where there is room, a rule, and what to know at a glance, which is
 * cut rather than left out.
 */
export function heading(name: string, about: string, right: Line, width: number): Line {
  const title: Line = [span(name, 'title'), span(' ')]
  const end: Line = right.length === 0 ? [] : [span(' '), ...right]
  const full: Line = about === '' ? title : [...title, span(`${about} `, 'dim')]
  const left = lineWidth([...full, ...end]) < width ? full : title
  const room = Math.max(0, width - lineWidth(left) - 1)
  return spread(left, lineWidth(end) <= room ? end : fitLine(end, room), width, span('─', 'dim'))
}
