const longest = 200
/** Controls, format characters (bidirectional ones too), lone surrogates, line separators. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Another machine's words, fit for a message on a terminal: no control characters, at most 200 characters. */
export function cleanText(text: string): string {
  const clean = text.slice(0, 10 * longest).replace(unsafe, '')
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`
}
