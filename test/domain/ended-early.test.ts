import { expect, test } from 'vitest'
import { endedEarly } from '../../src/domain/ended-early.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import { pass, trace } from './build.ts'

const answer = (outputTokens: number, change: Partial<RequestTrace> = {}) =>
  trace({ outputTokens, maxTokens: 1000, outcome: { kind: 'completed' }, ...change })
const judged = (...traces: readonly RequestTrace[]) => endedEarly([pass({ traces })])

test('answers that end before the length that was asked for are told, with how long they were', () => {
  expect(judged(answer(1000), answer(80), answer(120))).toEqual([
    { kind: 'ended-early', requests: 2, of: 3, meanTokens: 100, askedTokens: 1000 },
  ])
})

test('full answers, and those a token short, are not', () => {
  expect(judged(answer(1000), answer(999), answer(990))).toEqual([])
  expect(judged(answer(1, { maxTokens: 1 }), answer(1, { maxTokens: 2 }))).toEqual([])
})

test('one in a hundred is not worth telling', () => {
  const full = Array.from({ length: 99 }, () => answer(1000))
  expect(judged(...full, answer(80))).toEqual([])
  expect(judged(...full, answer(80), answer(80))).toMatchObject([{ requests: 2, of: 101 }])
})

test('answers that were cut off, failed, or whose tokens nobody counted tell nothing', () => {
  expect(
    judged(
      answer(80, { outcome: { kind: 'cut-off' } }),
      answer(80, { counting: 'chunks' }),
      answer(0, { outcome: { kind: 'failed', failure: { kind: 'protocol', message: 'no' } } }),
    ),
  ).toEqual([])
})
