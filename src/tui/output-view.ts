import { textWidth } from '../format/text-width.ts'
import type { LongText } from './scrolled.ts'
import { type Line, span } from './span.ts'

/**
 * The last text of one stream. Whatever would move, colour, hide or reverse something stands there as a visible
 * character. `null`: nothing to look at.
 */
export function outputText(text: string | null, width: number): LongText {
  const lines: readonly Line[] =
    text === null || text === ''
      ? [[span('no model output to look at yet', 'dim')]]
      : visible(text)
          .split('\n')
          .flatMap(line => broken(line, width))
          .map(line => [span(line)])
  return { title: 'Model output, one stream of the running cell', lines, startsAt: 'end' }
}

const tabColumns = 4
const unseen =
  /[\p{Format}\p{Default_Ignorable_Code_Point}\p{Private_Use}\p{Surrogate}\p{Mark}\u2028\u2029]/gu
const controls = /[\p{Control}--[\n]]/gv

/** Control characters as their pictures (␛ for escape), others that have no look of their own as �. */
function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', ' '.repeat(tabColumns))
    .replace(controls, character => pictureOf(character.codePointAt(0) ?? 0))
    .replace(unseen, '\ufffd')
}

/** U+2400 and up are the pictures of U+0000 to U+001F, U+2421 that of delete. */
function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** In pieces of at most `width` columns, character by character: a model's text need not have words. */
function broken(line: string, width: number): readonly string[] {
  const pieces: string[] = ['']
  for (const character of line) {
    const last = pieces.at(-1) ?? ''
    if (textWidth(last) + textWidth(character) > width) pieces.push(character)
    else pieces[pieces.length - 1] = last + character
  }
  return pieces
}
