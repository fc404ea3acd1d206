import { expect, test } from 'vitest'
import { emptyLease, KvPool } from '../../src/simulator/engine/kv-pool.ts'
import { tokenize } from '../../src/simulator/engine/prompt.ts'

/** Puts a prompt of pages named by its letters into the cache, as a request that came and went would. */
function remember(pool: KvPool, pages: string): void {
  const lease = emptyLease()
  const { pageHashes } = tokenize(pages.replaceAll(/./g, '$&'.repeat(8)), 2)
  pool.lockPrefix(lease, pageHashes, pages.length)
  pool.cover(lease, pages.length * 2)
  pool.publish(lease, pages.length, page => pageHashes[page] ?? Number.NaN)
  pool.release(lease)
}

function cachedPages(pool: KvPool, pages: string): number {
  const lease = emptyLease()
  pool.lockPrefix(lease, tokenize(pages.replaceAll(/./g, '$&'.repeat(8)), 2).pageHashes, pages.length)
  const found = lease.cachedPages
  pool.release(lease)
  return found
}

test('a prefix matches page by page, and only from the start', () => {
  const pool = new KvPool(20, 2)
  remember(pool, 'abc')
  expect(cachedPages(pool, 'abd')).toBe(2)
  expect(cachedPages(pool, 'bc')).toBe(0)
})

test('prompts that begin alike share their pages', () => {
  const pool = new KvPool(20, 2)
  remember(pool, 'abc')
  remember(pool, 'abd')
  expect(pool.evictablePages).toBe(4)
})

test('the least recently used leaf goes first', () => {
  const pool = new KvPool(12, 2)
  remember(pool, 'abc')
  remember(pool, 'xyz')
  remember(pool, 'ab')
  remember(pool, 'n')
  expect([cachedPages(pool, 'abc'), cachedPages(pool, 'xyz'), cachedPages(pool, 'n')]).toEqual([2, 3, 1])
  expect(pool.evictedPages).toBe(1)
})

test('what a request holds is never evicted', () => {
  const pool = new KvPool(8, 2)
  remember(pool, 'abc')
  const lease = emptyLease()
  pool.lockPrefix(lease, tokenize('aaaaaaaabbbbbbbb', 2).pageHashes, 2)
  expect(pool.cover(emptyLease(), 6)).toBe(false)
  expect(pool.cover(emptyLease(), 4)).toBe(true)
  expect([pool.freePages, pool.evictablePages, pool.usedPages]).toEqual([0, 0, 4])
})

test('a text has one token for each 4 characters begun, and a hash for each full page', () => {
  expect(tokenize('123456789', 2)).toMatchObject({ tokens: 3, pageHashes: { length: 1 } })
  expect(tokenize('', 2)).toMatchObject({ tokens: 0, pageHashes: { length: 0 } })
})
