import { describe, expect, test } from 'vitest'
import { type Axis, doublingAxis, linearAxis, logAxis } from '../../../src/report/html/axis.ts'

const ticks = (axis: Axis) => axis.ticks.map(({ value }) => value)

describe('a linear axis', () => {
  test('goes from 0 to a round number that holds all values, in about four steps', () => {
    expect(ticks(linearAxis([120, 2818], String))).toEqual([0, 1000, 2000, 3000])
    expect(ticks(linearAxis([0.29], String)).map(value => value.toFixed(1))).toEqual([
      '0.0',
      '0.1',
      '0.2',
      '0.3',
    ])
    expect(ticks(linearAxis([400], String))).toEqual([0, 100, 200, 300, 400])
  })

  test('places values by their share', () => {
    const { at } = linearAxis([2818], String)
    expect([0, 1500, 3000].map(at)).toEqual([0, 0.5, 1])
  })

  test('of nothing but zeros still has a height', () => {
    expect(ticks(linearAxis([0, 0], String))).toEqual([0, 1])
    expect(ticks(linearAxis([], String))).toEqual([0, 1])
  })
})

describe('a logarithmic axis', () => {
  test('has steps of 1, 2, 5 while they are few, else decades', () => {
    expect(ticks(logAxis([102, 3990], String))).toEqual([100, 200, 500, 1000, 2000, 5000])
    expect(ticks(logAxis([3, 40_000], String))).toEqual([1, 10, 100, 1000, 10_000, 100_000])
  })

  test('places equal ratios equally far apart, and what has no logarithm at the bottom', () => {
    const { at } = logAxis([1, 100], String)
    expect(at(10) - at(1)).toBeCloseTo(at(100) - at(10))
    expect(at(0)).toBe(0)
  })

  test('holds a single value, and none', () => {
    expect(ticks(logAxis([50], String))).toEqual([50, 100])
    expect(ticks(logAxis([0], String))).toEqual([0, 1])
  })
})

describe('an axis of doublings', () => {
  test('has the values as ticks, ascending, each once, equally far apart', () => {
    const axis = doublingAxis([4, 1, 2, 4], String)
    expect(ticks(axis)).toEqual([1, 2, 4])
    expect(axis.at(2) - axis.at(1)).toBeCloseTo(axis.at(4) - axis.at(2))
  })

  test('stands a context of 0 one doubling below the smallest', () => {
    const { at } = doublingAxis([0, 8192, 16_384], String)
    expect(at(8192) - at(0)).toBeCloseTo(at(16_384) - at(8192))
  })

  test('of a single value has it in the middle', () => {
    expect(doublingAxis([8], String).at(8)).toBe(0.5)
  })
})
