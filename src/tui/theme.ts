import { toAscii } from '../format/ascii.ts'
import { courseStyles, heatStyles, type Line, type Span, type Style } from './span.ts'

/** How many colours the terminal has; with 0 nothing but text is written. */
export type Colours = 0 | 16 | 256

export type Theme = { readonly colours: Colours; readonly ascii: boolean }

/**
 * SGR parameters. With 16 colours only those that can be read on light and dark backgrounds alike; with 256 heat is a
 * filled block with its own text colour, which the background cannot spoil (steps of the viridis scale).
 */
const sixteen: Readonly<Record<Style, string>> = {
  plain: '',
  dim: '2',
  strong: '1',
  title: '1;36',
  good: '32',
  warn: '33',
  bad: '31',
  live: '1;35',
  reached: '7',
  selected: '1',
  badge: '1;7',
  series: '36',
  heat0: '2',
  heat1: '',
  heat2: '36',
  heat3: '1;36',
  heat4: '32',
  heat5: '1;32',
  course0: '2',
  course1: '2',
  course2: '2',
  course3: '2',
  course4: '2',
  course5: '2',
}

const many: Readonly<Record<Style, string>> = {
  ...sixteen,
  dim: '38;5;244',
  title: '1;38;5;37',
  good: '38;5;71',
  warn: '38;5;172',
  bad: '38;5;167',
  live: '1;38;5;134',
  reached: '38;5;255;48;5;97',
  series: '38;5;37',
  heat0: '38;5;255;48;5;60',
  heat1: '38;5;255;48;5;24',
  heat2: '38;5;255;48;5;30',
  heat3: '38;5;255;48;5;29',
  heat4: '38;5;16;48;5;71',
  heat5: '38;5;16;48;5;150',
  course0: '38;5;103;48;5;60',
  course1: '38;5;67;48;5;24',
  course2: '38;5;73;48;5;30',
  course3: '38;5;72;48;5;29',
  course4: '38;5;65;48;5;71',
  course5: '38;5;107;48;5;150',
}

/** The line as text for the terminal. */
export function paint(line: Line, { colours, ascii }: Theme): string {
  const codes = colours === 256 ? many : sixteen
  return joined(line)
    .map(({ text, style }) => {
      const shown = ascii ? toAscii(text) : text
      const code = colours === 0 ? '' : codes[style]
      return code === '' ? shown : `\u001b[${code}m${shown}\u001b[0m`
    })
    .join('')
}

/** Styles that are seen on blanks. */
const filled: ReadonlySet<Style> = new Set(['reached', 'badge', ...heatStyles, ...courseStyles])

/** The same to the eye in as few spans as can be: of what is sent over a slow line much would be changes of style. */
function joined(line: Line): Line {
  const spans: Span[] = []
  const add = ({ text, style }: Span) => {
    const last = spans.at(-1)
    if (last?.style === style) spans[spans.length - 1] = { text: last.text + text, style }
    else spans.push({ text, style })
  }
  let blanks = ''
  for (const { text, style } of line) {
    if (!filled.has(style) && text.trim() === '') {
      blanks += text
      continue
    }
    const before = spans.at(-1)?.style ?? style
    if (blanks !== '') add({ text: blanks, style: filled.has(before) ? 'plain' : before })
    blanks = ''
    add({ text, style })
  }
  if (blanks !== '') add({ text: blanks, style: 'plain' })
  return spans
}
