import { execFileSync } from 'node:child_process'
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultResultPath, ResultFile, writeText } from '../../src/cli/result-file.ts'
import { sampleResult } from '../support/sample-result.ts'
import { testFolder } from '../support/test-folder.ts'

const folder = testFolder()

test('each write replaces the document as a whole and leaves nothing else behind', () => {
  const file = new ResultFile(join(folder, 'out.json'))
  const result = sampleResult()
  file.write({ ...result, run: { ...result.run, ending: 'running' } })
  file.write(result)
  expect(JSON.parse(readFileSync(file.path, 'utf8')).run.ending).toBe('completed')
  expect(readdirSync(folder)).toEqual(['out.json'])
})

test('a file that was there is kept as .bak', () => {
  writeFileSync(join(folder, 'out.json'), 'precious')
  const file = new ResultFile(join(folder, 'out.json'))
  file.write(sampleResult())
  expect(readFileSync(`${file.path}.bak`, 'utf8')).toBe('precious')
})

test('a folder that does not exist is a mistake at once', () => {
  expect(() => new ResultFile(join(folder, 'no', 'out.json'))).toThrow('cannot be written')
})

test('a folder is a mistake at once, and is left where it is', () => {
  mkdirSync(join(folder, 'results'))
  writeFileSync(join(folder, 'results', 'old.json'), 'precious')
  expect(() => new ResultFile(`${join(folder, 'results')}/`)).toThrow('is a folder')
  expect(readdirSync(folder)).toEqual(['results'])
})

test('a link stays, and what it names is written', () => {
  writeFileSync(join(folder, 'first.json'), 'old')
  symlinkSync('first.json', join(folder, 'latest.json'))
  expect(writeText(join(folder, 'latest.json'), 'new')).toBeNull()
  expect(readFileSync(join(folder, 'first.json'), 'utf8')).toBe('new')
  expect(lstatSync(join(folder, 'latest.json')).isSymbolicLink()).toBe(true)
})

test('a device or a pipe is written as it stands, neither renamed nor replaced', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Open on both sides, so that nothing waits for a reader.
  const ends = openSync(pipe, 'r+')
  new ResultFile(pipe)
  expect(writeText(pipe, 'new')).toBeNull()
  const read = Buffer.alloc(10)
  expect(read.toString('utf8', 0, readSync(ends, read))).toBe('new')
  closeSync(ends)
  expect(readdirSync(folder)).toEqual(['pipe'])
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

test.each([
  ['no/such/x.md', 'there is no such folder'],
  ['.', 'it is a folder'],
])('what keeps %s from being written is told in words', (name, problem) => {
  expect(writeText(join(folder, name), 'new')).toBe(problem)
})

test('when the disk refuses at the end, the result goes to the temporary folder', () => {
  const file = new ResultFile(join(folder, `${basename(folder)}.json`))
  // A folder in the way: even root cannot rename a file over it.
  mkdirSync(file.path)
  const where = file.writeLast(sampleResult())
  expect(file.failure).not.toBeNull()
  expect(where).toBe(join(tmpdir(), basename(file.path)))
  expect(JSON.parse(readFileSync(where ?? '', 'utf8')).schema).toBe('tokgrid/result')
  rmSync(where ?? '')
})

test.each([
  ['Qwen/Qwen3.5-35B-A3B', 'tokgrid-Qwen-Qwen3.5-35B-A3B-20260902T002900Z.json'],
  ['../../etc/passwd', 'tokgrid-etc-passwd-20260902T002900Z.json'],
  ['\u001b[31m\u0000', 'tokgrid-31m-20260902T002900Z.json'],
  ['…', 'tokgrid-model-20260902T002900Z.json'],
])('the default name for %j stays in the folder', (model, path) => {
  expect(defaultResultPath(model, '2026-09-02T00:29:00.123Z')).toBe(path)
})
