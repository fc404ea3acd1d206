import { expect, test } from 'vitest'
import { TokgridError } from '../../src/domain/failure.ts'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { buildResult } from '../../src/result/build-result.ts'
import { readResult } from '../../src/result/read-result.ts'
import { RunScript } from '../support/scripted-run.ts'

const document = buildResult(foldRun(new RunScript().begin().cells(1).end().events), {
  tool: { name: 'tokgrid', version: '0.1.0', node: '24.21.0' },
  description: null,
})
if (document === null) throw new Error('a run with a server has a result')

function complaint(text: string): string {
  try {
    readResult(text, 'a.json')
  } catch (error) {
    if (error instanceof TokgridError && error.code === 'usage') return error.message
    throw error
  }
  return 'none'
}

test('fields that this version does not know are taken as they are, at any depth', () => {
  const newer = {
    ...document,
    gate: { passed: true },
    run: { ...document.run, options: { ...document.run.options, spice: 7 } },
    decode: document.decode.map(cell => ({ ...cell, energyWh: 3, requests: null })),
  }
  const read = readResult(JSON.stringify(newer), 'a.json')
  expect(read).toMatchObject({ gate: { passed: true }, run: { options: { spice: 7 } } })
  expect(read.decode[0]).toMatchObject({ energyWh: 3 })
})

test('reasons of a kind that this version does not know are taken too', () => {
  const decode = document.decode.map(cell => ({ ...cell, reasons: [{ kind: 'solar-flare', class: 'X' }] }))
  expect(readResult(JSON.stringify({ ...document, decode }), 'a.json').decode[0]?.reasons).toEqual([
    { kind: 'solar-flare', class: 'X' },
  ])
})

const brokenCell = [...document.decode.slice(0, 2), { contextTokens: 'long' }]

test.each([
  ['nothing', ' \n', /^a\.json is empty$/],
  ['a web page', '<!doctype html><html>', /^a\.json is not JSON$/],
  ['no number', 'NaN', /^a\.json is not a tokgrid result: the document: /],
  ['a number that is none', { ...document, decode: [{ contextTokens: Number.NaN }] }, /contextTokens: /],
  ['a well without a ground', '['.repeat(100_000) + ']'.repeat(100_000), /^a\.json is nested too deeply/],
  ['half a document', '{"schema": "tokgrid/res', /^a\.json is not JSON$/],
  ['null', 'null', /^a\.json is not a tokgrid result: the document: /],
  ['a list', '[]', /^a\.json is not a tokgrid result: the document: /],
  ['another object', '{}', /^a\.json is not a tokgrid result: schema: /],
  ['another schema', { ...document, schema: 'x' }, /^a\.json is not a tokgrid result: schema: /],
  [
    'a later version',
    { ...document, schemaVersion: 2 },
    /^a\.json is a result of version 2, this tokgrid reads up to/,
  ],
  ['a version that is none', { ...document, schemaVersion: '1' }, /tokgrid result: schemaVersion: /],
  ['a bad cell', { ...document, decode: brokenCell }, /tokgrid result: decode\.2\.contextTokens: /],
])('a file that holds %s is refused in one line that says where it is wrong', (_, content, expected) => {
  const message = complaint(typeof content === 'string' ? content : JSON.stringify(content))
  expect(message).toMatch(expected)
  expect(message).not.toContain('\n')
})

test('a missing figure is refused by its name: unknown is null, not absent', () => {
  const [first, ...rest] = document.decode
  const { stepMs: _, ...without } = { stepMs: null, ...first }
  const message = complaint(JSON.stringify({ ...document, decode: [without, ...rest] }))
  expect(message).toMatch(/decode\.0\.stepMs: /)
})

test('times without a zone are refused: they would mean another moment elsewhere', () => {
  const at = (startedAt: string) =>
    complaint(JSON.stringify({ ...document, run: { ...document.run, startedAt } }))
  expect(at('2026-01-01T00:00:00')).toMatch(/run\.startedAt: /)
  expect(at('2026-01-01T00:00:00+02:00')).toBe('none')
})

test('a file of an earlier state of version 1, without the fields that came later, is read with nulls', () => {
  const { imported: _, described: __, ...early } = document
  const { notes: ___, ...run } = early.run
  const decode = early.decode.map(({ scalingEfficiency: ____, hardware: _____, ...cell }) => cell)
  const { source: ______, ...launch } = early.server.launch
  const server = { ...early.server, launch }
  const read = readResult(JSON.stringify({ ...early, run, server, decode }), 'a.json')
  expect(read).toMatchObject({ imported: null, run: { notes: {} }, server: { launch: { source: null } } })
  expect(read.decode).toHaveLength(document.decode.length)
  for (const cell of read.decode) expect(cell).toMatchObject({ scalingEfficiency: null, hardware: null })
})

test('numbers that only Python writes are unknown, and words in a text are left alone', () => {
  const text = JSON.stringify(
    { ...document, run: { ...document.run, message: 'x NaN "Infinity" x' } },
    null,
    2,
  )
  const read = readResult(text.replace(/"endedAt": [^,]+/, '"endedAt": NaN'), 'a.json')
  expect(read.run).toMatchObject({ endedAt: null, message: 'x NaN "Infinity" x' })
})

test('numbers beyond all measuring are unknown or nothing: squares of them would be no numbers', () => {
  const cells = document.decode.map(cell => ({
    ...cell,
    stepMs: 1e308,
    stallFraction: -1e31,
    stepsPerSecond: 1e-300,
  }))
  const options = { ...document.run.options, limitOfAnOldTokenizer: 1e30 }
  const text = JSON.stringify({ ...document, run: { ...document.run, options }, decode: cells })
  for (const written of [text, text.replaceAll('1e+308', '1e999')]) {
    const read = readResult(written, 'a.json')
    expect(read.decode[0]).toMatchObject({ stepMs: null, stallFraction: null, stepsPerSecond: 0 })
    expect(read.run.options).toMatchObject({ limitOfAnOldTokenizer: 1e30 })
  }
})
