import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokgrid } from '../support/process.ts'
import { preciseResult, scaled } from '../support/result-pair.ts'
import { testFolder } from '../support/test-folder.ts'

const folder = testFolder()

function twoResults() {
  const [before, after] = ['before.json', 'after.json'].map(name => join(folder, name))
  if (before === undefined || after === undefined) throw new Error('two names make two paths')
  writeFileSync(before, JSON.stringify(preciseResult()))
  writeFileSync(after, JSON.stringify(scaled(preciseResult(), 0.95)))
  return { before, after }
}

test('compare tells what got worse, and a gate on it ends with 4', async () => {
  const { before, after } = twoResults()
  const plain = await tokgrid(['compare', before, after])
  expect([plain.code, plain.stderr]).toEqual([0, ''])
  expect(plain.stdout).toContain('B is worse')
  const gated = await tokgrid(['compare', before, after, '--gate', 'tok/s:-3%', '--gate=steps/s:-2%'])
  expect(gated.code).toBe(4)
  expect(gated.stderr).toContain('after.json: tok/s may not fall by 3%')
})

test('compare writes an HTML page with both runs and their differences', async () => {
  const { before, after } = twoResults()
  const page = join(folder, 'page.html')
  expect(await tokgrid(['compare', before, after, '-o', page])).toMatchObject({ code: 0, stdout: '' })
  const html = readFileSync(page, 'utf8')
  for (const piece of ['<!doctype html>', 'before.json', 'after.json', 'B is worse', '-5.0%✗'])
    expect(html).toContain(piece)
})

test('a run whose cells hold fewer streams than required ends with 4 and says so', async () => {
  const words = '--headless --skip-prefill --contexts 8k --concurrency 1 --duration 2s --slo itl=1s'.split(
    ' ',
  )
  const run = (streams: string) =>
    tokgrid(['demo', ...words, '-o', join(folder, 'run.json'), '--require', `8k=${streams}`])
  expect(await run('1')).toMatchObject({ code: 0 })
  const short = await run('2')
  expect(short.code).toBe(4)
  expect(short.stderr).toContain('2 streams within the SLO are required at 8K: 8K holds ≥ 1')
})
