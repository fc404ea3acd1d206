import { describe, expect, test } from 'vitest'
import { conflictsOf, differencesOf } from '../../src/report/compare-contrasts.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { sampleResult } from '../support/sample-result.ts'

type Run = RunResult['run']

const base = sampleResult()
const withRun = (change: Partial<Run>): RunResult => ({ ...base, run: { ...base.run, ...change } })
const withOptions = (change: Partial<Run['options']>) =>
  withRun({ options: { ...base.run.options, ...change } })
const withServer = (change: Partial<RunResult['server']>): RunResult => ({
  ...base,
  server: { ...base.server, ...change },
})
const promptSet = { version: '1', hash: 'abc', nonce: 'x' }

describe('runs that measure different things', () => {
  test.each<[string, RunResult]>([
    ['model', withServer({ model: { id: 'another', path: null, revision: null } })],
    ['prompt set', withRun({ promptSet })],
    ['prompt set', withRun({ promptSet: null })],
    ['prompts', withOptions({ prompts: 'shared' })],
    ['temperature', withOptions({ temperature: 0 })],
    ['respect-eos', withOptions({ respectEos: true })],
    ['max-tokens', withOptions({ maxOutputTokens: 256 })],
    ['endpoint', withOptions({ endpoint: 'completions' })],
    ['extra-body', withOptions({ extraBody: { top_p: 0.9 } })],
  ])('are told by their %s', (name, other) => {
    expect(conflictsOf(base, other).map(conflict => conflict.name)).toContain(name)
    expect(conflictsOf(other, base)).toHaveLength(conflictsOf(base, other).length)
  })

  test('are not those with other nonce, seed, window, contexts or notes', () => {
    const other = withRun({
      notes: { why: 'again' },
      promptSet: base.run.promptSet && { ...base.run.promptSet, nonce: 'another' },
      options: { ...base.run.options, seed: 99, durationSeconds: 5, contexts: [1024] },
    })
    expect(conflictsOf(base, other)).toEqual([])
  })

  test('are not those of which one is of before the endpoint and added fields were recorded', () => {
    const older = withOptions({ endpoint: undefined, extraBody: undefined })
    expect(conflictsOf(older, withOptions({ extraBody: { top_p: 0.9 } }))).toEqual([])
  })

  test('are not those that serve one model by two names', () => {
    const model = (id: string, path: string) => withServer({ model: { id, path, revision: null } })
    expect(conflictsOf(model('a', 'Org/Model'), model('b', 'Org/Model'))).toEqual([])
    expect(conflictsOf(model('a', 'Org/Model'), model('a', 'Org/Other'))).toHaveLength(1)
  })
})

describe('what else differs', () => {
  test('does not repeat what makes them different things', () => {
    const other = withOptions({
      temperature: 0.5,
      maxOutputTokens: 9,
      endpoint: 'completions',
      extraBody: { top_p: 0.9 },
    })
    expect(conflictsOf(base, other)).toHaveLength(4)
    expect(differencesOf(base, other)).toEqual([])
  })

  test('is nothing between a run and itself', () => {
    expect(differencesOf(base, base)).toEqual([])
  })

  test('is told of engine, hardware, options and nested launch settings', () => {
    const other: RunResult = {
      ...withOptions({ durationSeconds: 5 }),
      hardware: { ...base.hardware, gpus: [{ name: 'NVIDIA H200', memoryMiB: 143_771, driver: '570' }] },
      server: {
        ...base.server,
        engine: { ...base.server.engine, version: '9.9' },
        launch: { ...base.server.launch, settings: { tp_size: 2, cuda: { graph: [1, 2] } } },
      },
    }
    const told = differencesOf(base, other)
    expect(told).toContainEqual({ name: 'option durationSeconds', a: '30', b: '5' })
    expect(told).toContainEqual({ name: 'Version', a: '0.5.9', b: '9.9' })
    expect(told).toContainEqual({ name: 'GPU', a: '–', b: 'NVIDIA H200' })
    expect(told).toContainEqual({ name: 'launch tp_size', a: '–', b: '2' })
    expect(told).toContainEqual({ name: 'launch cuda.graph', a: '–', b: '[1,2]' })
  })

  test('of launch commands is the flags that differ', () => {
    const launched = (command: string) => withServer({ launch: { ...base.server.launch, command } })
    const told = differencesOf(
      launched('python -m sglang.launch_server --tp 1 --page-size 64 --port 1'),
      launched('python -m sglang.launch_server --tp 2 --page-size 64 --port 1 --enable-metrics'),
    )
    expect(told).toEqual([{ name: 'launch command', a: '--tp 1', b: '--tp 2 --enable-metrics' }])
  })
})
