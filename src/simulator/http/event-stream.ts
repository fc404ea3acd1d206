import type { ServerResponse } from 'node:http'
import type { Random } from '../random.ts'
import type { StreamPlan } from './stream-plan.ts'

/** A response of server-sent events; its head goes out with the first event. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #write: (text: string) => void

  constructor(response: ServerResponse, plan: Pick<StreamPlan, 'lineEnd' | 'split'>, random: Random) {
    this.#response = response
    const cut = (text: string) => {
      for (const piece of pieces(Buffer.from(text), random)) response.write(piece)
    }
    const write = plan.split ? cut : (text: string) => response.write(text)
    this.#write = plan.lineEnd === '\n' ? write : text => write(text.replaceAll('\n', plan.lineEnd))
  }

  send(data: string): void {
    this.#open()
    this.#write(`data: ${data}\n\n`)
  }

  end(): void {
    this.send('[DONE]')
    this.#response.end()
  }

  /** A line without an end, as fast as the client reads it. */
  sendForEver(): void {
    this.#open()
    this.#response.write('data: ')
    const more = () => {
      while (!this.#response.destroyed && this.#response.write('x'.repeat(65_536))) {}
    }
    this.#response.on('drain', more)
    more()
  }

  #open(): void {
    if (!this.#response.headersSent)
      this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  }
}

/** The bytes in pieces of 1 to 16, each an HTTP chunk of its own, so that a client's reads end anywhere. */
function* pieces(bytes: Buffer, random: Random): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random() * 16)
    yield bytes.subarray(at, end)
    at = end
  }
}
