/** A full page in the prefix cache; its hash names everything from the prompt's start to the page's end. */
type CachedPage = { readonly hash: number; readonly parent: CachedPage | null; locks: number }

/** The pages that one request holds: a locked path through the prefix cache, then pages of its own. */
export type Lease = { tail: CachedPage | null; cachedPages: number; ownPages: number }

/** A lease on nothing. */
export function emptyLease(): Lease {
  return { tail: null, cachedPages: 0, ownPages: 0 }
}

/**
 * The KV memory, in pages, with a radix prefix cache: longest prefix by pages, least recently used leaf evicted first, never
 * one that a request has locked.
 */
export class KvPool {
  readonly totalPages: number
  readonly pageTokens: number
  evictedPages = 0
  readonly #cached = new Map<number, CachedPage>()
  /** Unlocked pages, least recently used first. A path is unlocked from its leaf up, so a child always precedes its parent. */
  readonly #evictable = new Map<number, CachedPage>()
  #ownPages = 0

  constructor(poolTokens: number, pageTokens: number) {
    this.pageTokens = pageTokens
    this.totalPages = Math.floor(poolTokens / pageTokens)
  }

  get freePages(): number {
    return this.totalPages - this.#cached.size - this.#ownPages
  }

  get evictablePages(): number {
    return this.#evictable.size
  }

  get usedPages(): number {
    return this.totalPages - this.freePages - this.evictablePages
  }

  /** Locks the longest cached prefix of at most `maxPages` into an empty lease. */
  lockPrefix(lease: Lease, hashes: Float64Array, maxPages: number): void {
    for (const hash of hashes.subarray(0, maxPages)) {
      const page = this.#cached.get(hash)
      if (page === undefined) break
      this.#extend(lease, page)
    }
  }

  /** Makes the lease cover `tokens`, evicting as needed; false, and no change, when the pool cannot. */
  cover(lease: Lease, tokens: number): boolean {
    const missing = Math.ceil(tokens / this.pageTokens) - lease.cachedPages - lease.ownPages
    if (missing <= 0) return true
    if (missing > this.freePages + this.evictablePages) return false
    while (this.freePages < missing) this.#evictOldest()
    lease.ownPages += missing
    this.#ownPages += missing
    return true
  }

  /** Moves the lease's own pages, up to page `pages` of its sequence, into the prefix cache, where others can share them. */
  publish(lease: Lease, pages: number, hashOf: (page: number) => number): void {
    while (lease.cachedPages < pages && lease.ownPages > 0) {
      const hash = hashOf(lease.cachedPages)
      let page = this.#cached.get(hash)
      if (page === undefined) {
        page = { hash, parent: lease.tail, locks: 0 }
        this.#cached.set(hash, page)
      }
      this.#extend(lease, page)
      lease.ownPages--
      this.#ownPages--
    }
  }

  /** Frees the lease's own pages; its published ones stay cached and become evictable. */
  release(lease: Lease): void {
    for (let page = lease.tail; page !== null; page = page.parent) {
      page.locks--
      if (page.locks === 0) this.#evictable.set(page.hash, page)
    }
    this.#ownPages -= lease.ownPages
    Object.assign(lease, emptyLease())
  }

  /** Forgets everything cached; only for an idle server. */
  flush(): void {
    this.#cached.clear()
    this.#evictable.clear()
  }

  #extend(lease: Lease, page: CachedPage): void {
    if (page.locks === 0) this.#evictable.delete(page.hash)
    page.locks++
    lease.tail = page
    lease.cachedPages++
  }

  #evictOldest(): void {
    for (const hash of this.#evictable.keys()) {
      this.#evictable.delete(hash)
      this.#cached.delete(hash)
      this.evictedPages++
      return
    }
  }
}
