import type { SimRequest } from './sim-request.ts'

/** Tokenized requests on their way into a batch, first come first served. */
export class WaitingQueue {
  /** Passed over at least once: SGLang's queue shows no others. */
  readonly waiting: SimRequest[] = []
  /** To be decided on with the next step. */
  readonly #seen: SimRequest[] = []
  /** Came while a step ran, and not seen before its end. */
  readonly #arrived: SimRequest[] = []

  get length(): number {
    return this.waiting.length + this.#seen.length + this.#arrived.length
  }

  add(request: SimRequest): void {
    this.#arrived.push(request)
  }

  /** The scheduler looks at what has come. */
  see(): void {
    this.#seen.push(...this.#arrived.splice(0))
  }

  /** What is seen can be taken from now on. */
  open(): void {
    this.waiting.push(...this.#seen.splice(0))
  }

  /** Takes a request out, wherever it stands; false when it is not there. */
  remove(request: SimRequest): boolean {
    return [this.waiting, this.#seen, this.#arrived].some(list => removeFrom(list, request))
  }
}

/** Takes an item out of a list; false when it is not there. */
export function removeFrom<T>(list: T[], item: T): boolean {
  const place = list.indexOf(item)
  if (place >= 0) list.splice(place, 1)
  return place >= 0
}
