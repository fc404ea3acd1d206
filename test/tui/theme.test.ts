import { expect, test } from 'vitest'
import { type Line, span } from '../../src/tui/span.ts'
import { paint } from '../../src/tui/theme.ts'

const dim = '\u001b[2m'
const end = '\u001b[0m'
const shown = (line: Line) => paint(line, { colours: 16, ascii: false })

test('blanks between spans of one style need no change of it', () => {
  expect(shown([span(' '), span('·', 'dim'), span('  '), span('·', 'dim'), span('   ', 'strong')])).toBe(
    `${dim} ·  ·${end}   `,
  )
})

test('blanks are painted where they are seen, and only there', () => {
  const reached = '\u001b[7m'
  expect(shown([span('a'), span('  ', 'reached'), span(' '), span('·', 'dim')])).toBe(
    `a${reached}  ${end} ${dim}·${end}`,
  )
})
