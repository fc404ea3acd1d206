import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { finalSummary } from '../../src/tui/final-summary.ts'
import type { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

function summaryOf(script: RunScript, ascii = false): string {
  return finalSummary(foldRun(script.events), { savedTo: './result.json', ascii })
}

test('the summary of a whole run has every figure, and says why cells are missing', async () => {
  await expect(summaryOf(scenes.ended())).toMatchFileSnapshot('golden/summary-ended.txt')
})

test('the summary of a stopped run says what was not run, and why cells do not count', async () => {
  const script = scenes.marks().tell({ kind: 'asked', ask: 'stop' })
  script.tell({ kind: 'job-ended', outcome: { kind: 'interrupted' } }).end('stopped')
  await expect(summaryOf(script)).toMatchFileSnapshot('golden/summary-stopped.txt')
})

test('the summary is plain text: no control characters, on request no more than ASCII', () => {
  const script = scenes.marks().end()
  expect(summaryOf(script)).not.toMatch(/(?!\n)\p{Control}|\p{Format}/u)
  expect(summaryOf(script, true)).toMatch(/^[\n -~]*$/)
})
