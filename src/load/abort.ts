import type { Dispatcher } from 'undici'
import type { LoadTarget } from './messages.ts'
import { connectionTo } from './open-connection.ts'
import type { StreamRequest } from './stream-request.ts'

/** How long the server may take to answer the aborts, all together. */
const abortTimeoutMs = 2000
const abortConnections = 32
/** How long an aborted stream may take to end by itself; its last chunk tells the final usage. */
const graceMs = 1000

/**
 * Ends requests so that nothing of them is left on the server: abort by rid while the connection is still open (a
 * server forgets the rid of a closed one and may decode on), wait for the streams to end, then hang up. Never rejects.
 */
export async function abortRequests(requests: readonly StreamRequest[], target: LoadTarget): Promise<void> {
  const { abortPath } = target
  if (abortPath !== null && requests.length > 0) {
    const pool = connectionTo(target, abortConnections)
    const rids = requests.map(({ plan }) => plan.rid)
    const asked = Promise.all(rids.map(rid => abortByRid(pool, rid, abortPath, target)))
    await Promise.race([
      Promise.all(requests.map(({ ended }) => ended)),
      Promise.race([asked, after(abortTimeoutMs)]).then(() => after(graceMs)),
    ])
    await pool.destroy()
  }
  for (const request of requests) request.hangUp()
}

async function abortByRid(
  pool: Dispatcher,
  rid: string,
  path: string,
  { origin, headers }: LoadTarget,
): Promise<void> {
  try {
    const { body } = await pool.request({
      origin,
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ rid }),
    })
    await body.dump()
  } catch {
    // Hanging up is the second means; the drain before the next cell sees whether it was enough.
  }
}

function after(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms).unref()
  })
}
