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
  '–': '-',
  '·': '.',
  '…': '~',
  '×': 'x',
  '▶': '>',
  '✗': 'X',
  '»': ')',
  '≈': '~',
  '’': "'",
}

/** The same text in the same columns for a terminal without UTF-8; what has no likeness becomes `?`. */
export function toAscii(text: string): string {
  let plain = ''
  for (const character of text)
    plain +=
      character >= ' ' && character <= '~'
        ? character
        : (replacements[character] ?? '?'.repeat(textWidth(character)))
  return plain
}
