/** A tokenized prompt: its length, and the identity of each of its full KV pages. */
export type Prompt = {
  readonly tokens: number
  /** Hash i (52 bits) names the whole text up to the end of page i: equal hashes mean equal prefixes. */
  readonly pageHashes: Float64Array
}

/** The simulated tokenizer: one token for each 4 characters, rounded up. */
export const charactersPerToken = 4

/** Tokens of a text; a linear scan, so that a million tokens take some 10 ms. */
export function tokenize(text: string, pageTokens: number): Prompt {
  const tokens = Math.ceil(text.length / charactersPerToken)
  const pageCharacters = pageTokens * charactersPerToken
  const pageHashes = new Float64Array(Math.floor(text.length / pageCharacters))
  let high = 0x811c9dc5
  let low = 0x1b873593
  let at = 0
  for (let page = 0; page < pageHashes.length; page++) {
    for (const end = at + pageCharacters; at < end; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x85ebca6b)
      low ^= low >>> 13
    }
    pageHashes[page] = (high >>> 0) * 2 ** 20 + (low >>> 12)
  }
  return { tokens, pageHashes }
}
