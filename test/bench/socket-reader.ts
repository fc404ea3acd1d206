import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

/** The floor: as many sockets that ask for a stream and stamp what arrives, without HTTP, SSE or JSON. */
export class SocketReader {
  chunks = 0
  lastStamp = 0
  readonly #sockets: readonly ReturnType<typeof connect>[]

  constructor(
    url: string,
    streams: number,
    maxTokens: number,
    onData: (bytes: Buffer, at: number) => void = () => {},
  ) {
    const { hostname, port } = new URL(url)
    const body = JSON.stringify({
      max_tokens: maxTokens,
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
      messages: [{ role: 'user', content: 'x' }],
    })
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    this.#sockets = Array.from({ length: streams }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(head + body))
      socket.on('data', bytes => {
        this.lastStamp = performance.now()
        this.chunks += 1
        onData(bytes, this.lastStamp)
      })
      return socket
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
