import { describe, expect, test } from 'vitest'
import { gate, requirement, sloOf, sloTerm } from '../../src/cli/limit-flags.ts'

test.each([
  ['tok/s:-3%', { figure: 'tok/s', limit: -0.03 }],
  ['tok/s:3%', { figure: 'tok/s', limit: -0.03 }],
  ['steps/s:-2', { figure: 'steps/s', limit: -0.02 }],
  ['TTFT:+10%', { figure: 'ttft', limit: 0.1 }],
  ['itl:150%', { figure: 'itl', limit: 1.5 }],
  ['prefill:-0.5%', { figure: 'prefill', limit: -0.005 }],
])('%s is a gate', (text, expected) => {
  expect(gate.parse(text)).toEqual(expected)
})

test.each([
  'tok/s',
  'tok/s:',
  'tok/s:+3%',
  'ttft:-10%',
  'tok/s:-0%',
  'tok/s:-100%',
  'speed:-3%',
  'tok/s:-x%',
])('%s is none', text => {
  expect(gate.safeParse(text).error?.issues[0]?.message).toContain('is not a gate (try tok/s:-3%')
})

test.each([
  ['8k=16', { contextTokens: 8192, concurrency: 16 }],
  ['251k=1', { contextTokens: 257_024, concurrency: 1 }],
  ['16', { contextTokens: null, concurrency: 16 }],
])('%s is a requirement', (text, expected) => {
  expect(requirement.parse(text)).toEqual(expected)
})

test.each(['', '0', '8k=0', '8k', '8k=', 'x=4', '8k=1.5', '-3'])('"%s" is none', text => {
  expect(requirement.safeParse(text).error?.issues[0]?.message).toContain('is not a requirement')
})

describe('limits', () => {
  test('are put together, the last of each counts', () => {
    const terms = ['ttft=1s', 'itl=50ms', 'ttft=500ms'].map(text => sloTerm.parse(text))
    expect(sloOf(terms, [])).toEqual({ ttftMs: 500, itlMs: 50 })
    expect(sloOf([], [])).toBeNull()
  })

  test('have to be there for something to be required of them', () => {
    expect(() => sloOf([], [{ contextTokens: null, concurrency: 1 }])).toThrow('--require needs limits')
  })
})
