import type { Engine } from '../engine/engine.ts'
import type { Scheduler } from '../engine/scheduler.ts'
import type { Dialect } from './dialect.ts'
import type { EngineDriver } from './engine-driver.ts'
import type { FaultSet } from './fault-set.ts'
import { PublishedGauges } from './published-gauges.ts'

/** One data-parallel rank as its pages tell of it. */
export type RankView = {
  /** Null when the server has a single rank and names none. */
  readonly dpRank: number | null
  readonly scheduler: Scheduler
  readonly gauges: PublishedGauges
}

/** What the pages about an engine are made of. */
export type EngineView = {
  readonly engine: Engine
  readonly dialect: Dialect
  readonly modelName: string
  readonly ranks: readonly RankView[]
  readonly clock: () => number
}

/** Clears the screen, sets its title, rings, turns the line around, breaks out of quotes and of lines, and goes on for long. */
const hostileName = `evil\u001b[2J\u001b]0;title\u0007\u202egpj.\u2028"\\\n{}\r${'so-long'.repeat(100)}`

/** Looks at the engine of a driver from now on. */
export function viewEngine(driver: EngineDriver, dialect: Dialect, faults: FaultSet): EngineView {
  const { engine, clock } = driver
  const ranks = engine.ranks.map(scheduler => ({
    dpRank: engine.ranks.length === 1 ? null : scheduler.rank,
    scheduler,
    gauges: new PublishedGauges(scheduler, dialect),
  }))
  driver.watch(at => {
    for (const { gauges } of ranks) gauges.observe(at)
  })
  return {
    engine,
    dialect,
    get modelName() {
      return faults.get('hostile-name') === undefined ? engine.profile.model.servedName : hostileName
    },
    ranks,
    clock,
  }
}
