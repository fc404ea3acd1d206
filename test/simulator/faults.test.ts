import { expect, test } from 'vitest'
import { faultText, knownFaults, readFault } from '../../src/simulator/faults.ts'

test('a fault is its kind, and numbers where they differ from what they usually are', () => {
  expect(readFault('zombies')).toEqual({ kind: 'zombies' })
  expect(readFault('stall')).toEqual({ kind: 'stall', every: 1, afterTokens: 10 })
  expect(readFault('stall:every=2')).toEqual({ kind: 'stall', every: 2, afterTokens: 10 })
  expect(readFault('restart:downMs=5,afterTokens=7')).toEqual({
    kind: 'restart',
    afterMs: 0,
    afterTokens: 7,
    downMs: 5,
  })
})

test('what is no fault is answered with what would be one', () => {
  expect(readFault('gremlins')).toEqual({ problem: expect.stringMatching(/"gremlins"; there are refuse, /) })
  expect(readFault('stall:often=2')).toEqual({
    problem: expect.stringContaining('stall:every=1,afterTokens=10'),
  })
  expect(readFault('stall:every=-1')).toHaveProperty('problem')
  expect(readFault('zombies:every=2')).toHaveProperty('problem')
  expect(readFault('stall:constructor=2')).toHaveProperty('problem')
})

test('every fault is written as it is read', () => {
  for (const { fault } of knownFaults) {
    const read = readFault(fault)
    expect('problem' in read ? read : faultText(read)).toBe(fault)
  }
})
