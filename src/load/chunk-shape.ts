import { isDeepStrictEqual } from 'node:util'
import { type ChatChunk, readChatChunk } from './chat-chunk.ts'

/** Stands for the text; no JSON has it. */
const mark = '\0'
/** What chunks differ in: the text, the value of an id, and whole numbers that are exact for certain, with their names. */
const values = /\0|(?<="id": ?")[^"\\\0]+(?=")|(?<="(\w+)": ?)\d{1,15}/g
/** JSON text that stands for itself. */
const plainText = '[^"\\\\\\x00-\\x1f]+'
const wholeNumber = '(?:0|[1-9]\\d{0,14})'
/** Longer data is no token or two, and makes a slow expression; characters. */
const longest = 4096

/** Chunks that differ in text, id and whole numbers alone, as a regular expression. */
export class ChunkShape {
  readonly #expression: RegExp
  /** The chunk that it was made of. */
  readonly #chunk: ChatChunk
  /** The groups of the expression; 0: there is none, the value is that of the chunk. */
  readonly #text: number
  readonly #completionTokens: number
  readonly #promptTokens: number
  readonly #cachedTokens: number

  private constructor(marked: string, chunk: ChatChunk) {
    const groups: string[] = []
    const source = fill(marked, escaped, (value, name) => {
      const group = value === mark ? mark : (name ?? '')
      const pattern = name === undefined ? plainText : wholeNumber
      if (!isTold.has(group) || groups.includes(group)) return pattern
      groups.push(group)
      return `(${pattern})`
    })
    this.#expression = new RegExp(`^${source}$`)
    this.#chunk = chunk
    this.#text = groups.indexOf(mark) + 1
    this.#completionTokens = groups.indexOf('completion_tokens') + 1
    this.#promptTokens = groups.indexOf('prompt_tokens') + 1
    this.#cachedTokens = groups.indexOf('cached_tokens') + 1
  }

  /**
   * The shape of the chunk in this data; `null`: it has none. It is one only if the parser reads another chunk of the shape,
   * with all of its values changed, alike.
   */
  static of(data: string, chunk: ChatChunk): ChunkShape | null {
    const quoted = `"${chunk.text}"`
    if (!data.includes(quoted) || data.length > longest) return null
    const marked = data.replace(quoted, `"${mark}"`)
    const shape = new ChunkShape(marked, chunk)
    let number = 1000
    const other = fill(
      marked,
      text => text,
      (_, name) => (name === undefined ? 'another' : String(number++)),
    )
    return isDeepStrictEqual(shape.read(other), readChatChunk(other)) ? shape : null
  }

  /** The chunk in this data; `null`: it has another shape. */
  read(data: string): ChatChunk | null {
    const match = this.#expression.exec(data)
    if (match === null) return null
    const { completionTokens, promptTokens, cachedTokens } = this.#chunk
    return {
      hasOutput: true,
      text: match[this.#text] ?? '',
      completionTokens:
        this.#completionTokens === 0 ? completionTokens : Number(match[this.#completionTokens]),
      promptTokens: this.#promptTokens === 0 ? promptTokens : Number(match[this.#promptTokens]),
      cachedTokens: this.#cachedTokens === 0 ? cachedTokens : Number(match[this.#cachedTokens]),
      finishReason: null,
      error: null,
    }
  }
}

const isTold = new Set([mark, 'completion_tokens', 'prompt_tokens', 'cached_tokens'])

/** The marked data with its values, and what stands between them, replaced. */
function fill(
  marked: string,
  between: (text: string) => string,
  replace: (value: string, name: string | undefined) => string,
): string {
  let end = 0
  let filled = ''
  for (const { index, 0: value, 1: name } of marked.matchAll(values)) {
    filled += between(marked.slice(end, index)) + replace(value, name)
    end = index + value.length
  }
  return filled + between(marked.slice(end))
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
