import type { OutputLoop } from '../domain/request-trace.ts'

/** An answer that repeats itself exactly over this many characters no longer says anything: it loops. */
const loopChars = 4096
/** Longest repeated piece that is found, characters. */
const longestPeriod = 4096
const kept = loopChars + longestPeriod
const longestExample = 60

/**
 * The last characters of one answer, and whether they loop: acceptance of such text is no measure of anything. Looked at
 * once for every 4,096 characters, so that a token costs an append.
 */
export class OutputTail {
  loop: OutputLoop | null = null
  #text = ''
  #unseen = 0

  add(text: string): void {
    this.#text += text
    this.#unseen += text.length
    if (this.#unseen < loopChars) return
    this.#unseen = 0
    this.#text = this.#text.slice(-kept)
    this.loop ??= findLoop(this.#text)
  }

  last(chars: number): string {
    return this.#text.slice(-chars)
  }
}

/**
 * The shortest piece whose repetition makes the last 4,096 characters and the piece before them; `null`: none. By the
 * Z-function of the text read backwards (Gusfield 1997, 1.4): z[p] is how far it equals itself moved by p.
 */
export function findLoop(text: string): OutputLoop | null {
  const z = new Uint16Array(text.length)
  const at = (index: number) => text.charCodeAt(text.length - 1 - index)
  let [left, right] = [0, 0]
  for (let p = 1; p < text.length; p++) {
    let length = p < right ? Math.min(right - p, z[p - left] ?? 0) : 0
    while (p + length < text.length && at(length) === at(p + length)) length++
    if (p <= longestPeriod && length >= loopChars)
      return { periodChars: p, example: text.slice(-p).slice(0, longestExample) }
    if (p + length > right) [left, right] = [p, p + length]
    z[p] = length
  }
  return null
}
