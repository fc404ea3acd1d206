import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { compareCommand } from '../../src/cli/compare-command.ts'
import { exitCodeOfError } from '../../src/cli/exit-code.ts'
import { TokgridError } from '../../src/domain/failure.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { preciseResult, scaled } from '../support/result-pair.ts'
import { fakeContext } from './fake-context.ts'

const base = preciseResult()

/** Files of these results in a folder of their own, and what comes of comparing them. */
function filesOf(results: Readonly<Record<string, RunResult | string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-compare-'))
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  })
  const path = (name: string) => join(folder, name)
  for (const [name, result] of Object.entries(results))
    writeFileSync(path(name), typeof result === 'string' ? result : JSON.stringify(result))
  const compare = async (flags: Record<string, unknown> = {}, names = Object.keys(results)) => {
    try {
      return { code: await compareCommand(flags, names.map(path), fakeContext()), error: null }
    } catch (error) {
      if (!(error instanceof TokgridError)) throw error
      return { code: exitCodeOfError(error.code), error: `${error.message}; ${error.hint}` }
    }
  }
  const text = (stream: typeof stdout) => stream.mock.calls.map(([chunk]) => String(chunk)).join('')
  return { compare, path, out: () => text(stdout), err: () => text(stderr) }
}

const pair = { 'old.json': base, 'new.json': scaled(base, 0.95) }

describe('0: two results are compared', () => {
  test('on stdout, and nothing is said beside it', async () => {
    const files = filesOf(pair)
    expect(await files.compare()).toEqual({ code: 0, error: null })
    expect(files.out()).toContain('A = old.json')
    expect(files.out()).toContain('-5.0%✗')
    expect(files.err()).toBe('')
  })

  test('into a file, in the format of its name', async () => {
    const files = filesOf(pair)
    await files.compare({ output: files.path('out.json') })
    await files.compare({ output: files.path('out.md') })
    const document = JSON.parse(readFileSync(files.path('out.json'), 'utf8'))
    expect([document.schema, document.passed, document.runs[0].tallies[0].worse]).toEqual([
      'tokgrid/comparison',
      true,
      2,
    ])
    expect(readFileSync(files.path('out.md'), 'utf8')).toContain('| 8K | tok/s | -5.0%✗ | -5.0%✗ |')
    expect(files.out()).toBe('')
  })

  test('with a gate that holds', async () => {
    expect(await filesOf(pair).compare({ gate: ['tok/s:-10%', 'steps/s:-2%'] })).toMatchObject({ code: 0 })
  })

  test('with more noise between runs than their difference', async () => {
    expect(await filesOf(pair).compare({ gate: ['tok/s:-3%'], runNoise: '5%' })).toMatchObject({ code: 0 })
  })
})

describe('4: a gate or a requirement fails', () => {
  test('and is told on stderr, whatever the format', async () => {
    const files = filesOf(pair)
    expect(await files.compare({ gate: ['tok/s:-3%'], format: 'json' })).toMatchObject({ code: 4 })
    expect(files.err()).toMatch(/^tokgrid: new\.json: tok\/s may not fall by 3%: it does at .*\n$/)
    expect(JSON.parse(files.out()).passed).toBe(false)
  })

  test('when fewer streams than required hold the SLO', async () => {
    const files = filesOf(pair)
    expect(await files.compare({ slo: ['ttft=1000s'], require: ['5'] })).toMatchObject({ code: 4 })
    expect(files.err()).toContain('5 streams within the SLO are required at every context: 8K holds ≥ 4')
  })
})

describe('2: one line says what is wrong', () => {
  const shared: RunResult = {
    ...base,
    run: { ...base.run, options: { ...base.run.options, prompts: 'shared', temperature: 0 } },
  }

  test('when runs measure different things, but not with --force', async () => {
    const files = filesOf({ 'old.json': base, 'new.json': shared })
    expect(await files.compare()).toEqual({
      code: 2,
      error:
        'old.json and new.json measure different things: prompts unique against shared, temperature left to the server against 0; --force compares them all the same',
    })
    expect(await files.compare({ force: true })).toEqual({ code: 0, error: null })
    expect(files.out()).toContain('compared because of --force')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a gate that is none', { gate: ['tok/s:+3%'] }, '"tok/s:+3%" is not a gate'],
    ['a requirement without limits', { require: ['8k=4'] }, '--require needs limits'],
    ['a requirement that is none', { slo: ['ttft=1s'], require: ['many'] }, 'is not a requirement'],
    ['noise that is none', { runNoise: 'much' }, 'is not a share'],
    ['an unknown format', { format: 'pdf' }, 'is one of terminal, markdown, json, html'],
  ])('for %s', async (_, flags, message) => {
    const { code, error } = await filesOf(pair).compare(flags)
    expect(code).toBe(2)
    expect(error).toContain(message)
  })

  test('for files that cannot be compared', async () => {
    const files = filesOf({ ...pair, 'broken.json': '{' })
    const errors = [
      await files.compare({}, ['old.json']),
      await files.compare({}, ['old.json', 'absent.json']),
      await files.compare({}, ['old.json', 'broken.json']),
      await files.compare({ output: files.path('new.json') }, ['old.json', 'new.json']),
    ]
    expect(errors.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    expect(errors.map(({ error }) => error?.replaceAll(files.path(''), ''))).toEqual([
      expect.stringContaining('at least two results are needed'),
      expect.stringContaining('absent.json cannot be read'),
      expect.stringContaining('broken.json is not JSON'),
      expect.stringContaining('new.json would overwrite the result'),
    ])
  })
})
