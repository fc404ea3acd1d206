import { type ChatChunk, readChatChunk } from './chat-chunk.ts'
import { ChunkShape } from './chunk-shape.ts'

/** Shapes to learn at most: a server has a few, with reasoning and without, say. Chunks of others are parsed. */
const mostTries = 6
/** Chunks to parse before: the first ones come in a burst, whose TTFT would hold the time to learn. */
const parsedFirst = 4000

/**
 * Reads the chunks of the streams of one server. Nearly all of them have a shape that came before; by that they are read
 * several times as fast as by JSON.parse, which was the largest single cost of a chunk.
 */
export class ChunkReader {
  readonly #shapes: ChunkShape[] = []
  readonly #parsedFirst: number
  #parsed = 0
  #tries = 0

  constructor(parsed = parsedFirst) {
    this.#parsedFirst = parsed
  }

  /** Exactly what `readChatChunk` says of the same data. */
  read(data: string): ChatChunk | null {
    for (const shape of this.#shapes) {
      const chunk = shape.read(data)
      if (chunk !== null) return chunk
    }
    const chunk = readChatChunk(data)
    this.#parsed += 1
    if (this.#parsed > this.#parsedFirst && this.#tries < mostTries && chunk !== null && chunk.text !== '') {
      this.#tries += 1
      const shape = ChunkShape.of(data, chunk)
      if (shape !== null) this.#shapes.push(shape)
    }
    return chunk
  }
}
