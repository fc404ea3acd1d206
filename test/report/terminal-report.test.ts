import { describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { textWidth } from '../../src/format/text-width.ts'
import { type TerminalOptions, terminalReport } from '../../src/report/terminal-report.ts'
import { buildResult } from '../../src/result/build-result.ts'
import type { RunResult } from '../../src/result/schema.ts'
import type { RunScript } from '../support/scripted-run.ts'
import { scenes } from '../tui/scenes.ts'

function resultOf(script: RunScript): RunResult {
  const result = buildResult(foldRun(script.events), {
    tool: { name: 'tokgrid', version: '0.1.0', node: '24.21.0' },
    description: null,
  })
  if (result === null) throw new Error('a run with a server has a result')
  return result
}

function reportOf(script: RunScript, options: Partial<TerminalOptions> = {}): string {
  return terminalReport(resultOf(script), {
    width: 100,
    ascii: false,
    emphasis: false,
    details: false,
    slo: null,
    savedTo: './result.json',
    ...options,
  })
}

function stopped(): RunScript {
  const script = scenes.marks().tell({ kind: 'asked', ask: 'stop' })
  return script.tell({ kind: 'job-ended', outcome: { kind: 'interrupted' } }).end('stopped')
}

test('a whole run has every figure, and says why cells are missing', async () => {
  await expect(reportOf(scenes.ended())).toMatchFileSnapshot('golden/terminal-ended.txt')
})

test('a stopped run says what was not run, and why cells do not count', async () => {
  await expect(reportOf(stopped())).toMatchFileSnapshot('golden/terminal-stopped.txt')
})

test('with details it has all that is known, in the width of the terminal', async () => {
  const report = reportOf(stopped(), { details: true, width: 80, savedTo: null })
  await expect(report).toMatchFileSnapshot('golden/terminal-details.txt')
})

describe.each([40, 60, 80, 120])('in %i columns', width => {
  test('no line is too wide, and no figure is lost', () => {
    const report = reportOf(scenes.ended(), { width, savedTo: null })
    expect(report.split('\n').filter(line => textWidth(line) > width)).toEqual([])
    const figures = (text: string) => new Set(text.match(/\d[\d,.]*\d/g))
    const missing = [...figures(reportOf(scenes.ended(), { width: 300 }))].filter(
      figure => !figures(report).has(figure),
    )
    expect(missing).toEqual([])
  })
})

test('it is plain text: no control characters, on request no more than ASCII', () => {
  const script = scenes.marks().end()
  expect(reportOf(script, { details: true })).not.toMatch(/(?!\n)\p{Control}|\p{Format}/u)
  expect(reportOf(script, { details: true, ascii: true })).toMatch(/^[\n -~]*$/)
})
