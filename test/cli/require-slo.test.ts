import { describe, expect, test } from 'vitest'
import { requireSlo } from '../../src/cli/require-slo.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { RunScript } from '../support/scripted-run.ts'

const slo = { ttftMs: 1e9, itlMs: null }
const script = new RunScript({ contexts: [8192], concurrency: [1, 4], phases: 'decode', slo })
const state = foldRun(script.begin().cells(2).end().events)

function required(concurrency: number, code = 0) {
  const lines: string[] = []
  const found = requireSlo(code, state, [{ contextTokens: null, concurrency }], line => lines.push(line))
  return { code: found, lines }
}

describe('a run', () => {
  test('whose cells hold what is required keeps its exit code', () => {
    expect(required(4)).toEqual({ code: 0, lines: [] })
    expect(required(4, 3)).toEqual({ code: 3, lines: [] })
  })

  test('whose cells do not ends with 4 and says so, invalid cells or not', () => {
    const line = 'tokgrid: 5 streams within the SLO are required at every context: 8K holds ≥ 4'
    expect(required(5)).toEqual({ code: 4, lines: [line] })
    expect(required(5, 3)).toEqual({ code: 4, lines: [line] })
  })

  test.each([1, 130, 143])('that did not come to its end keeps %i', code => {
    expect(required(5, code)).toEqual({ code, lines: [] })
  })
})
