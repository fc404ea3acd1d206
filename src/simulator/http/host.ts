import type { Fault } from '../faults.ts'
import type { DialectName } from './dialect.ts'
import type { EngineDriver } from './engine-driver.ts'
import type { EngineView } from './engine-view.ts'
import type { FaultSet } from './fault-set.ts'

/** How the server is launched, besides its engine. */
export type ServerOptions = {
  readonly dialect: DialectName
  readonly apiKey: string | null
  /** Where set, flushing and aborting need it, and no other key will do. */
  readonly adminApiKey: string | null
  /** Requests that may wait before others are turned away; null: any number. */
  readonly maxQueuedRequests: number | null
  /** Null: the model does not think, or nothing tells its thoughts from its answers. */
  readonly reasoningParser: string | null
  readonly faults: readonly Fault[]
}

/** What the pages of a running server work with. */
export type Host = {
  readonly options: ServerOptions
  readonly driver: EngineDriver
  readonly view: EngineView
  readonly faults: FaultSet
  readonly setFaults: (faults: readonly Fault[]) => void
  readonly port: number
  /** Unix time in seconds. */
  readonly startedAt: number
  readonly now: () => Date
}

/** Unix time in whole seconds. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
