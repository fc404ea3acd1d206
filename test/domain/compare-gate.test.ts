import { describe, expect, test } from 'vitest'
import { judgeGate, lostPairs } from '../../src/domain/compare-gate.ts'
import { tallyPairs } from '../../src/domain/compare-tally.ts'
import { difference, pair } from './comparable.ts'

const pairsOf = (...found: readonly { readonly change: number; readonly p: number | null }[]) =>
  found.map((one, index) =>
    pair({ concurrency: 2 ** index, differences: { 'tok/s': difference(one), ttft: difference(one) } }),
  )
const gate = (limit: number, pairs: ReturnType<typeof pairsOf>, figure: 'tok/s' | 'ttft' = 'tok/s') =>
  judgeGate({ figure, limit }, pairs, [])

test('a fall beyond the limit fails a gate on tok/s, one within it does not', () => {
  expect(gate(-0.03, pairsOf({ change: -0.05, p: 0.001 })).passed).toBe(false)
  expect(gate(-0.03, pairsOf({ change: -0.02, p: 0.001 })).passed).toBe(true)
  expect(gate(-0.03, pairsOf({ change: 0.5, p: 0.001 })).passed).toBe(true)
})

test('a rise beyond the limit fails a gate on TTFT, a fall does not', () => {
  expect(gate(0.1, pairsOf({ change: 0.2, p: 0.001 }), 'ttft').passed).toBe(false)
  expect(gate(0.1, pairsOf({ change: -0.2, p: 0.001 }), 'ttft').passed).toBe(true)
})

test('a fall that noise can make fails no gate', () => {
  expect(gate(-0.03, pairsOf({ change: -0.3, p: 0.06 })).passed).toBe(true)
})

test('many pairs are judged together: the smallest p-value has to stand against all of them, the next against one less', () => {
  // With the mean (unknown: p = 1) there are 4: 0.05 / 4 = 0.0125, 0.05 / 3 = 0.0167.
  const rest = [
    { change: 0, p: 0.9 },
    { change: -0.2, p: 0.016 },
  ]
  const failing = (p: number) =>
    gate(-0.03, pairsOf({ change: -0.1, p }, ...rest)).failing.map(({ concurrency }) => concurrency)
  expect(failing(0.013)).toEqual([])
  expect(failing(0.012)).toEqual([1, 4])
})

test('the mean over all pairs fails a gate that no single pair fails', () => {
  const pairs = pairsOf(...Array.from({ length: 20 }, () => ({ change: -0.06, p: 0.03 })))
  const verdict = judgeGate({ figure: 'tok/s', limit: -0.03 }, pairs, tallyPairs(pairs, 0.01))
  expect(verdict).toMatchObject({ passed: false, meanFails: true, failing: [] })
})

describe('silence', () => {
  test('a gate that could judge nothing fails', () => {
    expect(gate(-0.03, [])).toMatchObject({ passed: false, judged: 0 })
    expect(gate(-0.03, pairsOf({ change: 0, p: null }))).toMatchObject({
      passed: false,
      judged: 0,
      unjudged: 1,
    })
  })

  test('a pair without an interval fails no gate beside others that are judged', () => {
    const verdict = gate(-0.03, pairsOf({ change: -0.5, p: null }, { change: 0, p: 0.9 }))
    expect(verdict).toMatchObject({ passed: true, judged: 1, unjudged: 1 })
  })

  test('cells that A had measured and B has not are lost; what A had not cannot be', () => {
    const side = (status: 'valid' | 'requests-queued' | 'invalid' | 'missing') => ({ status, reasons: [] })
    const pairs = [
      pair({ b: side('invalid') }),
      pair({ a: side('requests-queued'), b: side('missing') }),
      pair({ a: side('invalid'), b: side('missing') }),
      pair({ a: side('invalid') }),
      pair(),
    ]
    expect(lostPairs(pairs)).toEqual(pairs.slice(0, 2))
  })
})
