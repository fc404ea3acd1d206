import { expect, test } from 'vitest'
import { nextStep } from '../../src/domain/next-step.ts'
import { foldRun, reduceRun } from '../../src/domain/reduce-run.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import type { RunState } from '../../src/domain/run-state.ts'
import type { ServerFacts } from '../../src/domain/server-facts.ts'
import { buildResult } from '../../src/result/build-result.ts'
import { readResult } from '../../src/result/read-result.ts'
import { resumeFrom, takesAll } from '../../src/result/resume.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { RunScript, scriptedServer } from '../support/scripted-run.ts'

function resultOf(state: RunState): RunResult {
  const result = buildResult(state, { tool: { name: 'tokgrid', version: '0', node: '0' }, description: null })
  if (result === null) throw new Error('a run with a server has a result')
  // As a reader of the file has it.
  return readResult(JSON.stringify(result), 'old.json')
}

const wanted = { contexts: [8192], concurrency: [1, 4], prefillContexts: [8192] }

/** A run that measured the prefill row and the first cell, failed at the second, and ended. */
function earlierRun(): RunResult {
  const script = new RunScript(wanted).begin().allPrefill().cells(1).fail(1, 'no room')
  return resultOf(foldRun(script.end().events))
}

/** A run of which nothing but the plan is known. */
function planned(options: Partial<RunOptions> = {}, server: ServerFacts = scriptedServer): RunState {
  const { events } = new RunScript({ ...wanted, ...options }, server).begin()
  return foldRun(
    events.filter(
      ({ kind }) => kind.startsWith('run-') || kind.startsWith('server-c') || kind === 'matrix-planned',
    ),
  )
}

const resumed = (earlier: RunResult, state: RunState) =>
  resumeFrom(earlier, state, resultOf(state), 'old.json')
const takenOver = (earlier: RunResult, state: RunState) =>
  reduceRun(state, { at: 0, kind: 'results-taken-over', taken: resumed(earlier, state) })

test('what is valid is taken over to the last figure, marked with the run that measured it; the rest is measured', () => {
  const earlier = earlierRun()
  const state = takenOver(earlier, planned())
  expect(state.cells.map(({ status }) => status)).toEqual(['valid', 'planned'])
  const result = resultOf(state)
  const origin = { measuredIn: { runId: 'scripted', startedAt: '2026-01-01T00:00:00Z' } }
  expect(result.decode[0]).toEqual({ ...earlier.decode[0], ...origin })
  expect(result.prefill[0]).toEqual({ ...earlier.prefill[0], ...origin })
  expect(result.decode[1]?.measuredIn).toBeUndefined()
  expect(nextStep(state, 0)).toEqual({ do: 'start-job', target: { kind: 'calibrate' } })
  expect(nextStep({ ...state, loadSent: true }, 0)).toEqual({
    do: 'start-job',
    target: { kind: 'cell', cell: 1 },
  })
})

test('when all is there, nothing is sent', () => {
  const state = takenOver(earlierRun(), planned({ concurrency: [1] }))
  expect(nextStep(state, 0)).toMatchObject({ do: 'end-run', ending: 'completed' })
})

test('a larger matrix and more patience may be asked for', () => {
  const state = planned({
    contexts: [8192, 32_768],
    concurrency: [1, 2, 4],
    drainTimeoutSeconds: 5,
    retryInvalid: true,
  })
  expect(resumed(earlierRun(), state).cells.map(({ index }) => index)).toEqual([0])
})

test('what a resumed run had taken over keeps the run that measured it', () => {
  const second = {
    ...resultOf(takenOver(earlierRun(), planned())),
    run: { ...earlierRun().run, id: 'second' },
  }
  expect(resumed(second, planned()).cells[0]?.measuredIn.runId).toBe('scripted')
})

test('a cell that is done anew is this run’s own', () => {
  const state = takenOver(earlierRun(), planned())
  const own = {
    ...state,
    cells: state.cells.map(cell => ({ ...cell, status: 'planned', summary: null }) as const),
  }
  expect(resultOf(own).decode[0]?.measuredIn).toBeUndefined()
})

test('a file whose cells are all in the new result may be replaced by it', () => {
  const earlier = earlierRun()
  // Its failed cell is not taken over, and a cell that the new plan lacks would be lost.
  expect(takesAll(earlier, resumed(earlier, planned()))).toBe(false)
  const valid = resultOf(foldRun(new RunScript(wanted).begin().allPrefill().cells(1).end('stopped').events))
  expect(takesAll(valid, resumed(valid, planned()))).toBe(true)
  expect(takesAll(valid, resumed(valid, planned({ concurrency: [4] })))).toBe(false)
})

test.each([
  ['another window', planned({ durationSeconds: 20 }), 'durationSeconds 30 then, 20 now'],
  ['other answers', planned({ maxOutputTokens: 512 }), 'maxOutputTokens 4096 then, 512 now'],
  ['another seed', planned({ seed: 2 }), 'seed 1 then, 2 now'],
  ['other sampling', planned({ temperature: 0 }), 'temperature unknown then, 0 now'],
  ['other fields', planned({ extraBody: { top_k: 1 } }), 'extraBody {} then, {"top_k":1} now'],
  ['other prompts', planned({ prompts: 'shared' }), 'prompts "unique" then, "shared" now'],
  ['other limits', planned({ slo: { ttftMs: 1000, itlMs: null } }), 'slo {"ttftMs":null,"itlMs":null} then'],
  [
    'another model',
    planned({}, { ...scriptedServer, model: { ...scriptedServer.model, id: 'other' } }),
    'model "Qwen/Qwen3.5-35B-A3B" then, "other" now',
  ],
  [
    'another KV cache',
    planned({}, { ...scriptedServer, limits: { ...scriptedServer.limits, kvCacheTokens: 5 } }),
    'kvCacheTokens 1000000 then, 5 now',
  ],
])('with %s nothing is taken over, and the difference is told', (_, state, difference) => {
  expect(() => resumed(earlierRun(), state)).toThrow(
    `--resume: old.json was measured otherwise: ${difference}`,
  )
})

test('a result of another tool is refused', () => {
  const foreign = { ...earlierRun(), imported: { from: 'vllm', version: null, aside: {} } }
  expect(() => resumed(foreign, planned())).toThrow('old.json is of another tool')
})
