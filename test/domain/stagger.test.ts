import { expect, test } from 'vitest'
import { seededRandom, staggeredLengths } from '../../src/domain/stagger.ts'

test('the first lengths of C streams lie one in each C-th part of the output length', () => {
  for (const seed of [1, 2, 3]) {
    const parts = staggeredLengths(128, 4096, seed)
      // a length of ceil((part + u) × 32) tokens, u in [0, 1): 32 × part < length <= 32 × part + 32
      .map(length => Math.ceil(length / 32) - 1)
      .sort((a, b) => a - b)
    // u = 0 would put every length on the upper edge of the part below
    expect(new Set(parts).size).toBe(128)
    expect(parts[127]).toBe(127)
  }
})

test('the phases are uniform: neighbours in length are L / C tokens apart', () => {
  const lengths = [...staggeredLengths(4, 4000, 9)].sort((a, b) => a - b)
  const steps = lengths.slice(1).map((length, index) => length - (lengths[index] ?? 0))
  expect(steps).toEqual([1000, 1000, 1000])
})

test('which stream gets which phase is shuffled', () => {
  const lengths = staggeredLengths(32, 4096, 1)
  expect(lengths).not.toEqual([...lengths].sort((a, b) => a - b))
  expect(lengths).not.toEqual([...lengths].sort((a, b) => b - a))
})

test('every length is from 1 token to the full output', () => {
  for (const [concurrency, output] of [
    [1, 1],
    [1, 4096],
    [128, 1],
    [128, 100],
  ] as const)
    for (let seed = 0; seed < 50; seed++)
      for (const length of staggeredLengths(concurrency, output, seed)) {
        expect(Number.isInteger(length)).toBe(true)
        expect(length).toBeGreaterThanOrEqual(1)
        expect(length).toBeLessThanOrEqual(output)
      }
})

test('the same seed gives the same lengths, another seed gives others', () => {
  expect(staggeredLengths(16, 4096, 5)).toEqual(staggeredLengths(16, 4096, 5))
  expect(staggeredLengths(16, 4096, 5)).not.toEqual(staggeredLengths(16, 4096, 6))
})

test('a single stream begins anywhere in its output, by the seed', () => {
  const lengths = Array.from({ length: 200 }, (_, seed) => staggeredLengths(1, 1000, seed)[0] ?? 0)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  // uniform on 1..1000: 500 ± 4 standard errors of 289 / √200 = 20
  expect(mean).toBeGreaterThan(420)
  expect(mean).toBeLessThan(580)
})

test('seeded numbers are uniform in [0, 1) and repeat with their seed', () => {
  const random = seededRandom(3)
  const numbers = Array.from({ length: 10_000 }, random)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    numbers.filter(value => Math.floor(value * 10) === tenth),
  )
  // 1000 in each, ± 5 standard deviations of 30
  for (const { length } of tenths) expect(Math.abs(length - 1000)).toBeLessThan(150)
  const again = seededRandom(3)
  expect(numbers.slice(0, 3)).toEqual([again(), again(), again()])
})
