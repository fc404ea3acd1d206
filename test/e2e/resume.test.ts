import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import { startSimulateCommand, tokgrid } from '../support/process.ts'
import { testFolder } from '../support/test-folder.ts'

const folder = testFolder()
let server: Awaited<ReturnType<typeof startSimulateCommand>>

beforeEach(async () => {
  server = await startSimulateCommand(['--profile', 'fast'])
})

afterEach(() => {
  server.stop()
})

const path = (name: string) => join(folder, name)
const result = (name: string) => readResultFile(path(name))

function measure(...words: readonly string[]) {
  const common = ['--headless', '--contexts', '1k', '--duration', '2s', '--prefill-samples', '1']
  return tokgrid(['run', server.url, ...common, ...words])
}

test('a resumed run measures only what the file lacks, and its result holds both', async () => {
  expect((await measure('--concurrency', '1,2', '-o', path('a.json'))).code).toBe(0)
  const earlier = result('a.json')
  const { code, stderr } = await measure(
    '--concurrency',
    '1,2,4',
    '--resume',
    path('a.json'),
    '-o',
    path('a.json'),
  )
  expect(code).toBe(0)
  expect(stderr).toContain('taken over from an earlier run: 1 prefill rows, 2 cells')
  expect(stderr.match(/cell 1K × \d/g)).toEqual(['cell 1K × 4'])
  const both = result('a.json')
  const origin = { runId: earlier.run.id, startedAt: earlier.run.startedAt }
  expect(both.decode.map(({ status, measuredIn }) => [status, measuredIn])).toEqual([
    ['valid', origin],
    ['valid', origin],
    ['valid', undefined],
  ])
  expect(both.decode[0]).toEqual({ ...earlier.decode[0], measuredIn: origin })
  // The new file holds all of the old one.
  expect(existsSync(path('a.json.bak'))).toBe(false)
  const nothing = await measure('--concurrency', '1,2,4', '--resume', path('a.json'), '-o', path('b.json'))
  expect(nothing.code).toBe(0)
  expect(nothing.stderr).not.toMatch(/^\S+ (cell|prefill) 1K/m)
  expect(result('b.json').decode.map(({ outputTokens }) => outputTokens)).toEqual(
    both.decode.map(({ outputTokens }) => outputTokens),
  )
})

test('a run with other options is refused in one line before anything is sent', async () => {
  await measure('--concurrency', '1', '-o', path('a.json'))
  const { code, stderr } = await measure(
    '--concurrency',
    '1',
    '--max-tokens',
    '512',
    '--resume',
    path('a.json'),
  )
  expect(code).toBe(2)
  expect(stderr).toContain('was measured otherwise: maxOutputTokens 4096 then, 512 now; give the same flags')
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('a dry run shows what is done and where settings come from', async () => {
  await measure('--concurrency', '1', '-o', path('a.json'))
  const { code, stdout } = await measure('--concurrency', '1,2', '--resume', path('a.json'), '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toMatch(/1K +done +ok/)
  expect(stdout).toMatch(/--duration 2s +command line/)
})

test('a quiet run says where its result is and nothing else', async () => {
  const { code, stdout, stderr } = await measure('--concurrency', '1', '--quiet', '-o', path('a.json'))
  expect([code, stdout, stderr]).toEqual([0, '', `result in ${path('a.json')}\n`])
})
