import { foldRun } from '../../src/domain/reduce-run.ts'
import { buildResult } from '../../src/result/build-result.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { RunScript } from './scripted-run.ts'

/** The result of a small scripted run that came to its end. */
export function sampleResult(): RunResult {
  const script = new RunScript({ contexts: [8192], concurrency: [1, 4], phases: 'decode' })
    .begin()
    .cells(2)
    .end()
  const result = buildResult(foldRun(script.events), {
    tool: { name: 'tokgrid', version: '0.0.0', node: '0' },
    description: null,
  })
  if (result === null) throw new Error('the scripted run knows no server')
  return result
}
