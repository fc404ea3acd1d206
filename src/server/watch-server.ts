import { TokgridError } from '../domain/failure.ts'
import type { ServerFacts } from '../domain/server-facts.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import type { Clock } from '../runner/ports.ts'
import { type Connection, type ConnectOptions, connectServer } from './connect.ts'
import { lookTimeoutMs } from './observe.ts'
import { createSampler } from './sampler.ts'

/** What became known of a watched server. `lost`: it does not answer, and is looked for again. */
export type WatchFact =
  | { readonly kind: 'server-connected'; readonly server: ServerFacts }
  | { readonly kind: 'server-sampled'; readonly sample: ServerSample }
  | { readonly kind: 'server-lost'; readonly message: string }

/** From one try to reach a server to the next. */
const retryMs = 2000
/** So many looks in a row without any answer, and the server is lost; what comes back may be another one. */
const silentLooks = 3

/**
 * Looks at a server once a second until the signal aborts, and looks for it again whenever it is gone. Rejects with
 * TokgridError (usage) for what no waiting mends.
 */
export async function watchServer(
  options: ConnectOptions,
  clock: Clock,
  tell: (fact: WatchFact) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const found = await orStopped(tryConnect(options), signal)
    if (found === null) return
    if (typeof found === 'string') {
      tell({ kind: 'server-lost', message: found })
      await pause(clock, signal)
      continue
    }
    tell({ kind: 'server-connected', server: found.facts })
    const message = await follow(found, clock, tell, signal)
    await found.close()
    if (message !== null) tell({ kind: 'server-lost', message })
  }
}

/** The connection, or why there is none. */
async function tryConnect(options: ConnectOptions): Promise<Connection | string> {
  try {
    return await connectServer(options)
  } catch (error) {
    if (error instanceof TokgridError && error.code === 'unreachable') return error.message
    throw error
  }
}

/** Resolves when the server is gone, with the reason; `null`: the signal aborted. */
async function follow(
  connection: Connection,
  clock: Clock,
  tell: (fact: WatchFact) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const { metrics, loads } = connection.facts.features
  if (!metrics && !loads) return ping(connection, clock, signal)
  const sampler = createSampler(connection, clock)
  let silent = 0
  const lost = new Promise<string>(resolve => {
    sampler.start(sample => {
      tell({ kind: 'server-sampled', sample })
      silent = isSilent(sample) ? silent + 1 : 0
      if (silent === silentLooks) resolve(sample.missed[0]?.message ?? 'no answer')
    })
  })
  const message = await orStopped(lost, signal)
  await sampler.stop()
  return message
}

function isSilent({ missed, running, queued, kvUsedTokens, realtimeDecodeTokens }: ServerSample): boolean {
  return (
    missed.length > 0 &&
    [running, queued, kvUsedTokens, realtimeDecodeTokens].every(figure => figure === null)
  )
}

/** A server that tells nothing of itself is only asked whether it is there. */
async function ping({ http }: Connection, clock: Clock, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    await pause(clock, signal)
    const answer = await http.ask({ path: '/v1/models', timeoutMs: lookTimeoutMs, signal })
    if (answer.kind !== 'ok' && !signal.aborted) return 'it does not answer any more'
  }
  return null
}

async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  let callOff = () => {}
  const over = new Promise<void>(resolve => {
    callOff = clock.onTime(clock.now() + retryMs, resolve)
  })
  await orStopped(over, signal)
  callOff()
}

/** The work's result; `null` as soon as the signal aborts, whatever becomes of the work. */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null
  let stop = () => {}
  const stopped = new Promise<null>(resolve => {
    stop = () => resolve(null)
  })
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
