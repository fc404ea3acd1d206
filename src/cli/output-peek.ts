/** Enough to fill a large screen. */
const peekedChars = 8000

/** The last text of one stream as it was told last; each look asks for it anew, and does not wait for the answer. */
export function outputPeek(peek: (chars: number) => Promise<string | null>): () => string | null {
  let text: string | null = null
  let isAsking = false
  return () => {
    if (!isAsking) {
      isAsking = true
      peek(peekedChars)
        .then(told => {
          text = told
        })
        // A load thread that died is told by the run itself.
        .catch(() => {})
        .finally(() => {
          isAsking = false
        })
    }
    return text
  }
}
