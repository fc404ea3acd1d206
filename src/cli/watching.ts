import { EventLog } from '../runner/event-log.ts'
import type { ConnectOptions } from '../server/connect.ts'
import { type WatchFact, watchServer } from '../server/watch-server.ts'
import type { WatchedServer } from '../tui/watch-view.ts'
import { systemClock } from './system-clock.ts'

/** Servers that are looked at, each by itself. */
export type Watching = {
  servers(): readonly WatchedServer[]
  /** Rejects with TokgridError for what no waiting mends. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

type Watched = { readonly options: ConnectOptions; readonly log: EventLog; problem: string | null }

/** Looks at all of these until it is stopped; `onChange` is told of each look. */
export function startWatching(
  targets: readonly ConnectOptions[],
  onChange: (server: WatchedServer) => void,
): Watching {
  const stopping = new AbortController()
  const watched = targets.map(
    (options): Watched => ({ options, log: new EventLog(systemClock), problem: null }),
  )
  const viewOf = ({ options, log, problem }: Watched): WatchedServer => ({
    url: options.url,
    state: log.state,
    problem,
  })
  const work = watched.map(one => {
    const tell = (fact: WatchFact) => {
      one.problem = fact.kind === 'server-lost' ? fact.message : null
      if (fact.kind !== 'server-lost') one.log.append(fact)
      onChange(viewOf(one))
    }
    return watchServer(one.options, systemClock, tell, stopping.signal)
  })
  return {
    servers: () => watched.map(viewOf),
    ended: Promise.all(work),
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(work)
    },
  }
}
