/** Columns that a terminal needs for `text`; control characters have to be gone already. */
export function textWidth(text: string): number {
  if (narrowOnly.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** `text` in at most `width` columns; what is cut off is shown by an ellipsis. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width <= 0) return ''
  let kept = ''
  let used = 0
  for (const character of text) {
    const next = characterWidth(character)
    if (used + next > width - 1) break
    kept += character
    used += next
  }
  return `${kept}…`
}

/** `text` in exactly `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const kept = cut(text, width)
  const space = ' '.repeat(Math.max(0, width - textWidth(kept)))
  return align === 'left' ? kept + space : space + kept
}

const narrowOnly = /^[\u0020-\u02ff\u2000-\u200a\u2010-\u2027\u2190-\u21ff\u2500-\u25ff\u2800-\u28ff]*$/
const marks = /^\p{Mark}/u
const emoji = /^\p{Emoji_Presentation}/u
/** East Asian wide and full-width blocks, as coarse ranges: a figure too wide only costs a column of space. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

function characterWidth(character: string): number {
  if (marks.test(character)) return 0
  return wide.test(character) || emoji.test(character) ? 2 : 1
}
