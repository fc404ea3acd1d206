/** Things that come one by one, each to be awaited. */
export class Arrivals<Item> {
  readonly all: Item[] = []
  #taken = 0
  #wake: () => void = () => {}

  add(item: Item): void {
    this.all.push(item)
    this.#wake()
  }

  /** The next one that nobody has taken. */
  async next(): Promise<Item> {
    for (;;) {
      const item = this.all[this.#taken]
      if (item !== undefined) {
        this.#taken += 1
        return item
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
