import { Client, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { LoadTarget } from './messages.ts'

const connectTimeoutMs = 10_000
/** Idle connections are kept for this long; the server usually closes them before. */
const keepAliveMs = 60_000

type Way = Pick<LoadTarget, 'origin' | 'insecure' | 'proxy'>

/**
 * Connections that nothing else uses, one for a stream; `origin` has to be named in every request. undici's time-outs
 * are off: reading a million tokens takes minutes.
 */
export function connectionTo({ origin, insecure, proxy }: Way, connections = 1): Dispatcher {
  const tls = { rejectUnauthorized: !insecure }
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connect: { timeout: connectTimeoutMs, ...tls, noDelay: true },
  }
  const open = (to: string | URL, given: object) =>
    connections === 1 ? new Client(to, { ...options, ...given }) : new Pool(to, { ...options, ...given })
  if (proxy === null) return open(origin, {})
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except,
    requestTls: tls,
    // To the proxy by its own `connect`, or past it.
    factory: open,
  })
}

/** Opens the connection by a cheap request, so that no connect time is in a TTFT. A failure shows when the stream starts. */
export async function openConnection(
  client: Dispatcher,
  { origin, openPath: path, headers }: LoadTarget,
): Promise<void> {
  try {
    const { body } = await client.request({
      origin,
      method: 'GET',
      path,
      headers,
      headersTimeout: connectTimeoutMs,
      bodyTimeout: connectTimeoutMs,
    })
    await body.dump()
  } catch {
    // The stream's own request will tell what is wrong, with its trace.
  }
}
