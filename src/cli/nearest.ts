/** The name that was most likely meant; `null` when none is near enough. */
export function nearest(word: string, names: readonly string[]): string | null {
  const distances = names.map(name => ({ name, edits: editDistance(word, name) }))
  const [best] = distances.sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(1, word.length / 3) ? best.name : null
}

/** Levenshtein's distance: letters to insert, remove or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}
