import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { portOf } from './own-server.ts'

export type ProxyServer = {
  readonly url: string
  /** `GET http://host/path` of what was passed on, `CONNECT host:port` of each tunnel. */
  readonly seen: string[]
  /** Tunnels are opened when this has resolved. */
  hold: Promise<void>
}

/** An HTTP proxy that passes on and tunnels, closed with its test. */
export async function proxyServer(): Promise<ProxyServer> {
  const seen: string[] = []
  const proxy = { url: '', seen, hold: Promise.resolve() }
  const server = createServer((incoming, reply) => {
    proxy.seen.push(`${incoming.method} ${incoming.url}`)
    const { method, headers } = incoming
    const onward = request(incoming.url ?? '', { method, headers }, answer => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', async (incoming, client) => {
    proxy.seen.push(`CONNECT ${incoming.url}`)
    await proxy.hold
    const { hostname, port } = new URL(`http://${incoming.url}`)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  proxy.url = `http://127.0.0.1:${await portOf(server)}`
  return proxy
}
