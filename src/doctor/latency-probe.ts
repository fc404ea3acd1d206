import { performance } from 'node:perf_hooks'
import type { LoadTarget } from '../load/messages.ts'
import { connectionTo } from '../load/open-connection.ts'
import type { DatedAnswer } from './clock-offset.ts'

export type LatencyProbe = {
  /** Host name, TCP and TLS; `null`: no connection, or one through a proxy. */
  readonly connectMs: number | null
  /** One small GET after the other, on one open connection. */
  readonly roundTripMs: readonly number[]
  readonly dated: readonly DatedAnswer[]
}

const requests = 25
const timeoutMs = 5000
/** Time enough for all of them at 100 ms each. */
const enoughMs = 2500

/**
 * Times small requests to the server, 25 of them unless those of `longestMs` took longer. Never rejects; a request that
 * fails ends it.
 */
export async function probeLatency(
  { openPath: path, headers, ...target }: LoadTarget,
  longestMs = enoughMs,
): Promise<LatencyProbe> {
  const client = connectionTo(target)
  const startedAt = performance.now()
  let connectMs: number | null = null
  client.once('connect', () => {
    connectMs = performance.now() - startedAt
  })
  const roundTripMs: number[] = []
  const dated: DatedAnswer[] = []
  try {
    // The first one opens the connection.
    for (let n = 0; n <= requests && (n < 2 || performance.now() - startedAt < longestMs); n++) {
      const sentAt = Date.now()
      const from = performance.now()
      const answer = await client.request({
        origin: target.origin,
        method: 'GET',
        path,
        headers,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      })
      await answer.body.dump()
      const receivedAt = Date.now()
      if (n > 0) roundTripMs.push(performance.now() - from)
      const date = Date.parse(String(answer.headers.date))
      if (!Number.isNaN(date)) dated.push({ date, sentAt, receivedAt })
    }
  } catch {
    // What there is tells enough; why it ended shows in the probe of a stream.
  }
  await client.destroy()
  return { connectMs, roundTripMs, dated }
}
