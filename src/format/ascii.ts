import { textWidth } from './text-width.ts'

const replacements: Readonly<Record<string, string>> = {
  '▁': '_',
  '▂': '.',
  '▃': '-',
  '▄': '=',
  '▅': '+',
  '▆': '*',
  '▇': '%',
  '█': '#',
  '━': '=',
  '╌': '.',
  '─': '-',
  '│': '|',
  '┤': '+',
  '–': '-',
  '·': '.',
  '…': '~',
  '×': 'x',
  '►': '>',
  '✗': 'X',
  '✓': 'v',
  '»': ')',
  '◂': '<',
  '°': ' ',
  '≈': '~',
  '▐': '[',
  '▌': ']',
  '▲': '^',
  '◆': '+',
  '↻': '@',
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '±': '~',
  '’': "'",
}

/** The same text in the same columns for a terminal without UTF-8; what has no likeness becomes `?`. */
export function toAscii(text: string): string {
  let plain = ''
  for (const character of text)
    plain +=
      character >= ' ' && character <= '~'
        ? character
        : (replacements[character] ?? dotsLikeness(character) ?? '?'.repeat(textWidth(character)))
  return plain
}

/** For a braille character one that stands at the height of its dots; `null` for others. */
function dotsLikeness(character: string): string | null {
  const bits = (character.codePointAt(0) ?? 0) - 0x2800
  if (bits < 0 || bits > 0xff) return null
  // Rows of dots from the top down.
  const rows = [0x09, 0x12, 0x24, 0xc0].map(row => (bits & row) !== 0)
  const top = rows.indexOf(true)
  const bottom = rows.lastIndexOf(true)
  if (top < 0) return ' '
  if (bottom - top >= 2) return '|'
  return ["'", '-', '.', '_'][bottom] ?? ' '
}
