import { interpolate, lineAt } from '../grid.ts'
import type { Speculative } from '../profile.ts'
import type { Random } from '../random.ts'

/** Draws that are spread evenly over the distribution: a window sees its mean sooner than by independent draws. */
const strata = 4
/** Every third stream, spread evenly, is one of those that outrun the others. */
const quickShare = 1 / 3
const goldenRatio = 0.618_033_988_749_895
/** Streams in the batch from which on the lag begins, and from which on it is whole; log scale. */
const lagFrom = 2
const lagFull = 8

/** Where one stream's tokens come from: how many drafts the model accepts in each step. */
export class TokenSource {
  readonly #speculative: Speculative | null
  readonly #random: Random
  readonly #streams: readonly number[]
  readonly #factors: readonly number[]
  readonly #isQuick: boolean
  #strata: number[] = []
  #batch = 0
  #logChance = 0

  /** `serial` numbers the server's requests. */
  constructor(speculative: Speculative | null, promptTokens: number, serial: number, random: Random) {
    const residual = speculative?.residual ?? null
    this.#speculative = speculative
    this.#random = random
    this.#streams = residual?.columns ?? []
    this.#factors = residual === null ? [] : lineAt(residual, promptTokens)
    this.#isQuick = (serial * goldenRatio) % 1 < quickShare
  }

  /** Tokens of the stream in one step of a batch of that many: 1 to the number of drafted ones. */
  next(batch: number): number {
    if (this.#speculative === null) return 1
    if (batch !== this.#batch) {
      this.#batch = batch
      this.#logChance = Math.log(
        acceptChance(this.#mean(this.#speculative, batch), this.#speculative.draftTokens),
      )
    }
    const accepted = Math.floor(Math.log(1 - this.#draw()) / this.#logChance)
    return Math.min(this.#speculative.draftTokens, 1 + accepted)
  }

  #mean({ acceptLength, lag }: Speculative, batch: number): number {
    const share = Math.log(batch / lagFrom) / Math.log(lagFull / lagFrom)
    const behind = lag * Math.min(1, Math.max(0, share))
    const own = this.#isQuick ? 1 + (behind * (1 - quickShare)) / quickShare : 1 - behind
    return acceptLength * interpolate(this.#streams, this.#factors, batch) * own
  }

  #draw(): number {
    if (this.#strata.length === 0) this.#strata = Array.from({ length: strata }, (_, i) => i)
    const [stratum = 0] = this.#strata.splice(Math.floor(this.#random() * this.#strata.length), 1)
    return (stratum + this.#random()) / strata
  }
}

/** The chance p of each drafted token for which a step has `mean` tokens: 1 + p + p² + … + p^(drafts − 1). */
function acceptChance(mean: number, draftTokens: number): number {
  let low = 0
  let high = 1
  for (let i = 0; i < 40; i++) {
    const p = (low + high) / 2
    let sum = 1
    for (let k = 1, power = p; k < draftTokens; k++, power *= p) sum += power
    if (sum < mean) low = p
    else high = p
  }
  return (low + high) / 2
}
