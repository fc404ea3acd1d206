import { charactersPerToken } from '../engine/prompt.ts'

const characterBits = 7

/** The ids of a text's tokens: 7 bits of each of their characters, so that ASCII can be had back from them. */
export function tokenIds(text: string): number[] {
  return Array.from({ length: Math.ceil(text.length / charactersPerToken) }, (_, token) => {
    let id = 0
    for (let i = charactersPerToken - 1; i >= 0; i--)
      id = (id << characterBits) | ((text.charCodeAt(token * charactersPerToken + i) || 0) & 0x7f)
    return id
  })
}

/** A text that has these tokens, no more and no fewer; what is missing in the last one is NUL. */
export function textOfTokenIds(ids: readonly number[]): string {
  return ids
    .map(id =>
      String.fromCharCode(
        ...Array.from({ length: charactersPerToken }, (_, i) => (id >>> (characterBits * i)) & 0x7f),
      ),
    )
    .join('')
}

/** Whether a value is a list of token ids. */
export function isTokenIds(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(id => Number.isInteger(id) && id >= 0)
}
