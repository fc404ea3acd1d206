import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../src/result/read-result.ts'
import { simulatedServer } from '../support/own-server.ts'
import { tokgrid } from '../support/process.ts'
import { testFolder } from '../support/test-folder.ts'

const folder = testFolder()
const file = join(folder, 'out.json')

test('a report is what the run showed at its end, and a file in each other format', async () => {
  const matrix = '--contexts 8k --concurrency 1,4 --duration 1s --slo ttft=1s'.split(' ')
  const run = await tokgrid(['demo', '--profile', 'fast', '--headless', '-o', file, ...matrix])
  expect(run.code).toBe(0)
  const report = await tokgrid(['report', file])
  expect(report).toMatchObject({ code: 0, stderr: '' })
  expect(run.stderr.endsWith(`\n\n${report.stdout}\nSaved to ${file}\n`)).toBe(true)
  for (const [name, start] of [
    ['out.md', '# `'],
    ['out.csv', 'run,'],
    ['out.html', '<!doctype html>'],
  ] as const) {
    expect(await tokgrid(['report', file, '-o', join(folder, name)])).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(join(folder, name), 'utf8').slice(0, start.length)).toBe(start)
  }
})

test('a result tells how the server on this machine was started, without its key', async () => {
  const server = await simulatedServer('--profile', 'fast', '--api-key', 'sk-secret-1')
  const matrix = '--skip-prefill --contexts 8k --concurrency 1 --duration 1s'.split(' ')
  const { code } = await tokgrid([
    server.url,
    '--headless',
    '--api-key',
    'sk-secret-1',
    '-o',
    file,
    ...matrix,
  ])
  expect(code).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('sk-secret-1')
  const { command, source } = readResult(text, file).server.launch
  // Only Linux has a process table that can be read as files.
  const isLinux = process.platform === 'linux'
  expect(source).toBe(isLinux ? 'process' : 'settings')
  expect(command).toMatch(isLinux ? /simulate .*--api-key <redacted>/ : /sglang/)
})
