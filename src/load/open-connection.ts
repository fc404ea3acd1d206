import { Client } from 'undici'
import type { LoadTarget } from './messages.ts'

const connectTimeoutMs = 10_000
/** Idle connections are kept for this long; the server usually closes them before. */
const keepAliveMs = 60_000

/** A connection of its own for one stream. undici's time-outs are off: reading a million tokens takes minutes. */
export function connectionTo({ origin, insecure }: Pick<LoadTarget, 'origin' | 'insecure'>): Client {
  return new Client(origin, {
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connect: { timeout: connectTimeoutMs, rejectUnauthorized: !insecure, noDelay: true },
  })
}

/** Opens the connection by a cheap request, so that no connect time is in a TTFT. A failure shows when the stream starts. */
export async function openConnection(client: Client, { openPath: path, headers }: LoadTarget): Promise<void> {
  try {
    const { body } = await client.request({
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
