/**
 * Others' words as GitHub shows them unchanged: as code, where nothing is a link, a mention or markup. A pipe or a
 * backtick would end a table's cell or the code, so that they stand in HTML as numbers.
 */
export function code(text: string): string {
  if (text.trim() === '') return ''
  return /[|`]/.test(text) ? `<code>${text.replace(/[^\p{L}\p{N} .,-]/gu, numbered)}</code>` : `\`${text}\``
}

/** A sentence that may hold others' words: nothing in it is markup, and what would mention somebody is code. */
export function sentence(text: string): string {
  return text
    .split(' ')
    .map(word => (/[@#]/.test(word) ? code(word) : word.replace(/[\\`*_{}[\]<>|~&$]/g, '\\$&')))
    .join(' ')
}

/** A table with a row of titles; cells are escaped already. Columns of figures stand to the right. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns: number,
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = titles.map((_, index) => (index < leftColumns ? '---' : '---:'))
  return [line(titles), line(rule), ...rows.map(line)]
}

/** A block of code that no text in it can end. */
export function codeBlock(text: string): readonly string[] {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}sh`, text, fence]
}

function numbered(character: string): string {
  return `&#${character.codePointAt(0)};`
}
