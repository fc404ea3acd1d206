import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { selectEvents } from '../../src/tui/select-events.ts'
import { sample } from '../domain/build.ts'
import { RunScript } from '../support/scripted-run.ts'

const told = (script: RunScript) => selectEvents(foldRun(script.events)).map(({ text }) => text)
const small = () => new RunScript({ contexts: [8192], concurrency: [1, 4], phases: 'decode' })

test('every wish of the operator is told', () => {
  const script = small().begin().launch(0)
  for (const ask of ['pause', 'resume', 'skip-cell', { kind: 'redo-cell', cell: 0 }, 'stop'] as const)
    script.tell({ kind: 'asked', ask })
  expect(told(script).slice(-5)).toEqual([
    'you asked to pause after this cell',
    'you asked to go on',
    'you asked to skip this cell',
    'you asked to measure 8K × 1 anew',
    'you asked to stop',
  ])
})

test('what was told of a cell stays as it was told when the cell is measured anew', () => {
  const script = small().begin().cells(1)
  const before = told(script).at(-1)
  expect(before).toMatch(/^8K × 1: \d+\.\d tok\/s, TTFT \d+ ms$/)
  script.tell({ kind: 'asked', ask: { kind: 'redo-cell', cell: 0 } }).skip(0)
  expect(told(script)).toContain(before)
  script.tell({ kind: 'asked', ask: { kind: 'redo-cell', cell: 0 } }).fail(0, 'out of memory')
  expect(told(script)).toContain(before)
  expect(told(script).at(-1)).toBe('8K × 1: HTTP 503: out of memory')
})

test('a pass that the operator gave up is no news', () => {
  const script = small().begin().launch(0)
  const before = told(script)
  script.tell({ kind: 'job-ended', outcome: { kind: 'given-up' } })
  expect(told(script)).toEqual(before)
})

test('a restart of the server stands at its time among what else happened', () => {
  const script = small().begin().cells(1)
  const counted = (tokens: number) =>
    script.tell({ kind: 'server-sampled', sample: sample({ at: script.at, realtimeDecodeTokens: tokens }) })
  counted(1_000_000)
  script.wait(2000)
  counted(3)
  script.wait(2000).tell({ kind: 'asked', ask: 'stop' })
  expect(told(script).slice(-2)).toEqual([
    "the server's counters fell: it was started anew",
    'you asked to stop',
  ])
})
