import { Pool } from 'undici'
import type { LoadTarget } from './messages.ts'
import type { StreamRequest } from './stream-request.ts'

const abortTimeoutMs = 2000
const abortConnections = 8
/** How long an aborted stream may take to end by itself; its last chunk tells the final usage. */
const graceMs = 1000

/**
 * Ends requests so that nothing of them is left on the server: abort by rid while the connection is still open (a
 * server forgets the rid of a closed one and may decode on), wait for the streams to end, then hang up.
 */
export async function abortRequests(requests: readonly StreamRequest[], target: LoadTarget): Promise<void> {
  for (const request of requests) request.cutOff()
  if (target.abortPath !== null && requests.length > 0) {
    await abortByRid(
      requests.map(({ plan }) => plan.rid),
      target,
      target.abortPath,
    )
    await Promise.race([Promise.all(requests.map(({ ended }) => ended)), after(graceMs)])
  }
  for (const request of requests) request.hangUp()
}

async function abortByRid(
  rids: readonly string[],
  { origin, headers, insecure }: LoadTarget,
  path: string,
): Promise<void> {
  const pool = new Pool(origin, { connections: abortConnections, connect: { rejectUnauthorized: !insecure } })
  await Promise.all(
    rids.map(async rid => {
      try {
        const { body } = await pool.request({
          method: 'POST',
          path,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ rid }),
          headersTimeout: abortTimeoutMs,
          bodyTimeout: abortTimeoutMs,
        })
        await body.dump()
      } catch {
        // Hanging up is the second means; the drain before the next cell sees whether it was enough.
      }
    }),
  )
  await pool.destroy()
}

function after(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms).unref()
  })
}
