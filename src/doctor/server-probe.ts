import type { Clock } from '../runner/ports.ts'
import type { Connection } from '../server/connect.ts'
import { describeHttpFailure } from '../server/http-client.ts'
import { observeOnce } from '../server/observe.ts'
import type { AbortAnswer, ServerProbe } from './server-checks.ts'

const timeoutMs = 5000

/** Looks at the server once and tries what a run would do to it; `unusedRid` is the id of no request. Never rejects. */
export async function examineServer(
  connection: Connection,
  unusedRid: string,
  clock: Clock,
): Promise<ServerProbe> {
  const sample = await observeOnce(connection, clock)
  return { facts: connection.facts, sample, abort: await tryAbort(connection, unusedRid) }
}

async function tryAbort({ adapter, http }: Connection, rid: string): Promise<AbortAnswer | null> {
  if (adapter.abort === null) return null
  const answer = await http.ask({ path: adapter.abort, body: { rid }, timeoutMs })
  if (answer.kind === 'ok') return { status: 200 }
  return answer.kind === 'status' ? { status: answer.status } : { failure: describeHttpFailure(answer) }
}
