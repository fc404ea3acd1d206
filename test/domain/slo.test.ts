import { describe, expect, test } from 'vitest'
import { holdsSlo, type SloCell, sloRows, unmetRequirements } from '../../src/domain/slo.ts'
import { spread } from './comparable.ts'

const limits = { ttftMs: 1000, itlMs: 50 }

/** 8K × 4, valid, TTFT of 500 ms and ITL of 20 ms. */
function cell(change: Partial<SloCell> = {}): SloCell {
  return {
    contextTokens: 8192,
    concurrency: 4,
    status: 'valid',
    ttftMs: ttft(500),
    itlMs: spread({ n: 30, p90: 20, max: 90 }),
    ...change,
  }
}

function ttft(p90: number): SloCell['ttftMs'] {
  return {
    source: 'steady',
    steady: spread({ n: 30, p90, max: 9000 }),
    launch: spread({ n: 30, p90: 8000, max: 9000 }),
  }
}

describe('a cell', () => {
  test('holds an SLO when the p90 of each figure is within its limit', () => {
    expect(holdsSlo(cell(), limits)).toBe(true)
    expect(holdsSlo(cell({ ttftMs: ttft(1000) }), limits)).toBe(true)
    expect(holdsSlo(cell({ ttftMs: ttft(1001) }), limits)).toBe(false)
    expect(holdsSlo(cell({ itlMs: spread({ n: 30, p90: 51 }) }), limits)).toBe(false)
  })

  test('is judged by the asked limits alone', () => {
    expect(holdsSlo(cell({ itlMs: null }), { ttftMs: 1000, itlMs: null })).toBe(true)
    expect(holdsSlo(cell({ ttftMs: null }), { ttftMs: null, itlMs: 50 })).toBe(true)
  })

  test('of few requests holds it when all of them do', () => {
    const few = (max: number) => cell({ itlMs: spread({ n: 5, p50: 10, max }) })
    expect(holdsSlo(few(50), limits)).toBe(true)
    expect(holdsSlo(few(51), limits)).toBe(false)
  })

  test('is judged by the TTFT that is its headline', () => {
    const launched = { source: 'launch' as const, steady: spread(), launch: spread({ n: 4, max: 1200 }) }
    expect(holdsSlo(cell({ ttftMs: launched }), limits)).toBe(false)
  })

  test('that queues or does not fit holds nothing; one that was not measured is unknown', () => {
    expect(holdsSlo(cell({ status: 'requests-queued' }), limits)).toBe(false)
    expect(holdsSlo(cell({ status: 'over-capacity', ttftMs: null, itlMs: null }), limits)).toBe(false)
    for (const status of ['invalid', 'failed', 'skipped', 'not-run', 'planned', 'running'] as const)
      expect(holdsSlo(cell({ status }), limits)).toBeNull()
  })

  test('without a figure that is asked for is unknown, but not when the other is beyond its limit', () => {
    expect(holdsSlo(cell({ ttftMs: null }), limits)).toBeNull()
    expect(holdsSlo(cell({ ttftMs: ttft(2000), itlMs: null }), limits)).toBe(false)
  })
})

describe('the largest concurrency', () => {
  const at = (concurrency: number, change: Partial<SloCell> = {}) => cell({ concurrency, ...change })
  const slow = { ttftMs: ttft(5000) }
  const row = (...cells: readonly SloCell[]) => {
    const [first] = sloRows(cells, limits)
    return [first?.concurrency, first?.brokenAt]
  }

  test('is the last before the first that does not hold', () => {
    expect(row(at(1), at(2), at(4, slow))).toEqual([2, 4])
    expect(row(at(1), at(2, slow), at(4))).toEqual([1, 2])
  })

  test('is open upwards when all hold', () => {
    expect(row(at(1), at(8))).toEqual([8, null])
  })

  test('is 0 when the smallest does not hold, and unknown when none could be judged', () => {
    expect(row(at(1, slow), at(2))).toEqual([0, 1])
    expect(row(at(1, { status: 'invalid' }))).toEqual([null, null])
  })

  test('passes over cells that cannot be judged', () => {
    expect(row(at(1), at(2, { status: 'invalid' }), at(4), at(8, slow))).toEqual([4, 8])
  })

  test('is told for each context, ascending', () => {
    const rows = sloRows([at(4, { contextTokens: 32_768 }), at(1)], limits)
    expect(rows.map(({ contextTokens }) => contextTokens)).toEqual([8192, 32_768])
  })
})

describe('a requirement', () => {
  const rows = [
    { contextTokens: 8192, concurrency: 16, brokenAt: 32 },
    { contextTokens: 32_768, concurrency: 4, brokenAt: 8 },
  ]
  const isMet = (contextTokens: number | null, concurrency: number) =>
    unmetRequirements(rows, [{ contextTokens, concurrency }]).length === 0

  test('is for one context, or for every one', () => {
    expect(isMet(8192, 16)).toBe(true)
    expect(isMet(8192, 17)).toBe(false)
    expect(isMet(null, 4)).toBe(true)
    expect(isMet(null, 5)).toBe(false)
  })

  test('on what was not measured or could not be judged is not met', () => {
    expect(isMet(65_536, 1)).toBe(false)
    const unknown = [{ contextTokens: 8192, concurrency: null, brokenAt: null }]
    expect(unmetRequirements(unknown, [{ contextTokens: 8192, concurrency: 1 }])).toHaveLength(1)
    expect(unmetRequirements([], [{ contextTokens: null, concurrency: 1 }])).toHaveLength(1)
  })
})
