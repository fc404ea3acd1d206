import { performance } from 'node:perf_hooks'
import { Client, type Dispatcher } from 'undici'

/** A bare undici client on warmed connections: writes, waits for the first text, starts again at the end. Nothing else. */
export class BareUndici {
  readonly launchTtftMs: number[] = []
  readonly steadyTtftMs: number[] = []
  readonly #clients: readonly Client[]
  #isOpen = true

  constructor(origin: string, streams: number) {
    const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 60_000 }
    this.#clients = Array.from({ length: streams }, () => new Client(origin, options))
  }

  async warm(): Promise<void> {
    await Promise.all(
      this.#clients.map(async client => {
        const { body } = await client.request({ method: 'GET', path: '/v1/models' })
        await body.dump()
      }),
    )
  }

  /** `bodies` of each stream: its first request and that of every later one. */
  start(bodies: readonly { readonly first: Buffer; readonly next: Buffer }[]): void {
    for (const [index, client] of this.#clients.entries()) {
      const body = bodies[index]
      if (body !== undefined) this.#send(client, body.first, body.next, this.launchTtftMs)
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await Promise.all(this.#clients.map(client => client.destroy()))
  }

  #send(client: Client, body: Buffer, next: Buffer, ttftMs: number[]): void {
    let writtenAt = 0
    let hasText = false
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {
        writtenAt = performance.now()
      },
      onResponseStart: () => {},
      onResponseData: (_, bytes) => {
        const at = performance.now()
        if (hasText || !bytes.includes('"content":" ')) return
        hasText = true
        ttftMs.push(at - writtenAt)
      },
      onResponseEnd: () => {
        queueMicrotask(() => {
          if (this.#isOpen) this.#send(client, next, next, this.steadyTtftMs)
        })
      },
      // An error ends the stream; the figures would be short of samples then.
      onResponseError: () => {},
    }
    const headers = { 'content-type': 'application/json' }
    client.dispatch({ method: 'POST', path: '/v1/chat/completions', headers, body }, handler)
  }
}
