import { describe, expect, test } from 'vitest'
import { changeText } from '../../src/report/change-text.ts'
import { compareMarkdown } from '../../src/report/compare-markdown.ts'
import { type CompareOptions, compareRuns } from '../../src/report/compare-model.ts'
import { compareTerminal } from '../../src/report/compare-terminal.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { hostileResult } from '../support/random-result.ts'
import { preciseResult, scaled, withCells } from '../support/result-pair.ts'

const options: CompareOptions = { runNoise: 0.01, gates: [], slo: null, requirements: [] }
const gate = { figure: 'tok/s', limit: -0.03 } as const
const base = preciseResult()
const slow = scaled(base, 0.95)

function compare(b: RunResult, change: Partial<CompareOptions> = {}, a = base) {
  const runs = [{ name: 'new.json', result: b }]
  return compareRuns({ name: 'old.json', result: a }, runs, { ...options, ...change })
}

const terminal = (comparison: ReturnType<typeof compare>, width = 120) =>
  compareTerminal(comparison, { width, ascii: false })

test.each([
  [-0.052, '-5.2%'],
  [0.003, '+0.3%'],
  [0, '0.0%'],
  [-0.0004, '0.0%'],
  [1.5, '+150.0%'],
])('a change of %f is written %s', (change, text) => {
  expect(changeText(change)).toBe(text)
})

describe('a comparison', () => {
  test('shows each cell’s change with a mark, and the worse ones with their figures and interval', () => {
    const text = terminal(compare(slow))
    expect(text).toMatch(/^ {2}8K +tok\/s +-5\.0%✗ +-5\.0%✗$/m)
    expect(text).toMatch(/^ {2} +steps\/s +0\.0%= +0\.0%=$/m)
    // ±1.05 % and the noise of 1 % of both: ln 0.95 ± 0.0205 to 0.0212, by Student's t
    expect(text).toMatch(/^ {2}8K × 4 +tok\/s +1,000\.0 +950\.0 +-5\.0%✗ +-6\.9% to -3\.[01]%$/m)
    expect(text).toContain('A = old.json: Qwen/Qwen3.5-35B-A3B on sglang 0.5.9')
  })

  test('says when a run is the same as the first, and when it did not come to its end', () => {
    const head = (b: RunResult) =>
      terminal(compare(b), 300)
        .split('\n')
        .find(line => line.includes('B = '))
    expect(head(base)).toMatch(/, the same run as A$/)
    const stopped = { ...base, run: { ...base.run, id: 'another', ending: 'stopped' as const } }
    expect(head(stopped)).toMatch(/ UTC, run stopped$/)
    const unnamed = { ...base, run: { ...base.run, startedAt: null } }
    expect(terminal(compare(unnamed, {}, unnamed), 300)).not.toContain('same run')
  })

  test('fits into its width, headings too', () => {
    const text = terminal(compare(slow, { gates: [gate], slo: { ttftMs: 1000, itlMs: 50 } }), 60)
    expect(text).toContain('Largest concurrency with TTFT within 1,000 ms, ITL within 50\nms for')
    expect(text.split('\n').filter(line => line.length > 60)).toEqual([])
  })

  test('with gates tells first what came of them', () => {
    const [, second] = terminal(compare(slow, { gates: [gate] })).split('\n\n')
    expect(second).toMatch(/^Gates, B against A\n {2}FAILED: tok\/s may not fall by 3%/)
  })

  test('says why a cell is not compared', () => {
    const reason = { kind: 'accounting-mismatch', agreement: 0.9, tolerance: 0.01 }
    const invalid = withCells(base, cell =>
      cell.concurrency === 4 ? { ...cell, status: 'invalid', reasons: [reason] } : cell,
    )
    const comparison = compare({ ...invalid, decode: invalid.decode.slice(1) })
    const text = terminal(comparison, 200)
    expect(text).toContain('8K × 4: B: invalid (the server counted 90% of the tokens that were counted here)')
    expect(text).toContain('8K × 1: B does not have it')
    expect(comparison.runs[0]?.cells.map(({ isComparable }) => isComparable)).toEqual([false, false])
  })

  test('of runs that measure different things begins with what differs', () => {
    const other = { ...base, run: { ...base.run, options: { ...base.run.options, temperature: 0 } } }
    const [head, second] = terminal(compare(other)).split('\n\n')
    expect(head).toContain('tokgrid compare')
    expect(second).toContain('temperature: left to the server → 0')
  })

  test('of several runs holds each against the first', () => {
    const comparison = compareRuns(
      { name: 'a', result: base },
      [
        { name: 'b', result: base },
        { name: 'c', result: slow },
      ],
      options,
    )
    expect(comparison.runs.map(({ letter }) => letter)).toEqual(['B', 'C'])
    expect(comparison.runs.map(({ tallies }) => tallies[0]?.worse)).toEqual([0, 2])
  })
})

describe('a comparison passes', () => {
  test('unless a gate fails', () => {
    expect(compare(slow).passed).toBe(true)
    expect(compare(slow, { gates: [gate] }).passed).toBe(false)
    expect(compare(slow, { gates: [{ figure: 'tok/s', limit: -0.06 }] }).passed).toBe(true)
    expect(terminal(compare(slow, { gates: [gate] }))).toContain(
      'FAILED: tok/s may not fall by 3%: it does at the mean, 8K × 1, 8K × 4; 2 cells judged',
    )
    const fine = { figure: 'tok/s', limit: -0.0001 } as const
    expect(terminal(compare(slow, { gates: [fine] }))).toContain('tok/s may not fall by 0.01%:')
  })

  test('with a gate only if B measured all that A did', () => {
    const failed = withCells(base, cell => (cell.concurrency === 4 ? { ...cell, status: 'failed' } : cell))
    expect(compare(failed, { gates: [gate] }).passed).toBe(false)
    expect(compare(failed).passed).toBe(true)
    expect(compare(base, { gates: [gate] }, failed).passed).toBe(true)
  })

  test('only if the required concurrency holds the SLO', () => {
    const slo = { ttftMs: 1e9, itlMs: null }
    const requirement = (concurrency: number) => [{ contextTokens: 8192, concurrency }]
    expect(compare(base, { slo, requirements: requirement(4) }).passed).toBe(true)
    const short = compare(base, { slo, requirements: requirement(5) })
    expect(short.passed).toBe(false)
    expect(terminal(short)).toContain('5 streams within the SLO are required at 8K: 8K holds ≥ 4')
    const lone = compare(base, { slo, requirements: [{ contextTokens: 4096, concurrency: 1 }] })
    expect(terminal(lone)).toContain('1 stream within the SLO is required at 4K: it was not measured')
    expect(terminal(short)).toMatch(/^ {2}context +A +B\n {2}8K +≥ 4 +≥ 4$/m)
  })
})

describe('whatever stands in two results', () => {
  const pairs = Array.from({ length: 60 }, (_, index) => [
    hostileResult(2 * index + 1),
    hostileResult(2 * index + 2),
  ])
  const comparisons = pairs.flatMap(([a, b]) =>
    a === undefined || b === undefined
      ? []
      : [compare(b, { gates: [gate], slo: { ttftMs: 1000, itlMs: 50 } }, a), compare(a, {}, a)],
  )

  test('a run against itself differs in nothing', () => {
    for (const { runs } of comparisons.filter((_, index) => index % 2 === 1)) {
      const [run] = runs
      expect([run?.conflicts, run?.differences, run?.lost]).toEqual([[], [], []])
      for (const { better, worse } of run?.tallies ?? []) expect([better, worse]).toEqual([0, 0])
    }
  })

  test('the terminal gets no control characters, and ASCII alone where that is asked for', () => {
    for (const [index, comparison] of comparisons.entries()) {
      const width = 40 + (index % 160)
      expect(compareTerminal(comparison, { width, ascii: true })).not.toMatch(/[^\n -~]/)
      expect(compareTerminal(comparison, { width, ascii: false })).not.toMatch(
        /(?![\r\n])\p{Control}|\p{Format}|\p{Surrogate}/u,
      )
    }
  })

  test('markdown has whole tables', () => {
    for (const comparison of comparisons) {
      const markdown = compareMarkdown(comparison)
      for (const table of markdown.match(/(?:^\|.*\n)+/gm) ?? []) {
        const cells = table
          .trimEnd()
          .split('\n')
          .map(line => line.replace(/\\[!-/:-@[-`{-~]/g, '').split('|').length)
        expect(new Set(cells).size).toBe(1)
      }
    }
  })

  test('the figures of the document are numbers or null, never NaN', () => {
    const isSound = (value: unknown): boolean =>
      typeof value === 'number'
        ? !Number.isNaN(value)
        : typeof value !== 'object' || value === null || Object.values(value).every(isSound)
    expect(comparisons.every(isSound)).toBe(true)
  })
})
