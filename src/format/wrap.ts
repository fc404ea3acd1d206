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

/** The parts with commas between them, broken between parts; within one only where it is longer than a line. */
export function wrapList(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const text = index < parts.length - 1 ? `${part},` : part
    const last = lines.at(-1)
    if (last !== undefined && textWidth(`${last} ${text}`) <= width)
      lines[lines.length - 1] = `${last} ${text}`
    else lines.push(...wrap(text, width))
  }
  return lines
}
