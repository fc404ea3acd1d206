import type { Launch } from '../profile.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimRequest } from './sim-request.ts'

/** Sends tokenized requests to data-parallel ranks. */
export class Dispatcher {
  readonly #ranks: readonly Scheduler[]
  readonly #loadBalance: Launch['loadBalance']
  #turn = 0

  constructor(ranks: readonly Scheduler[], loadBalance: Launch['loadBalance']) {
    this.#ranks = ranks
    this.#loadBalance = loadBalance
  }

  /** The rank that the request names, else the next in turn or the one with the fewest requests (the first of equals). */
  rankFor({ dpRank }: SimRequest): Scheduler | undefined {
    if (dpRank !== undefined) return this.#ranks[dpRank]
    if (this.#loadBalance === 'round-robin') return this.#ranks[this.#turn++ % this.#ranks.length]
    return this.#ranks.reduce((least, rank) => (rank.requests < least.requests ? rank : least))
  }
}
