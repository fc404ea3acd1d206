import { cut, textWidth } from './text-width.ts'

/** The text in lines of at most `width` columns, broken between words; a word that is longer alone is cut. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(part => part !== '')) {
    const last = lines.at(-1)
    const next = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && textWidth(next) <= width) lines[lines.length - 1] = next
    else lines.push(cut(word, width))
  }
  return lines
}
