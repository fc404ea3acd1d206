import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { truthServer } from '../support/own-server.ts'
import { startTokgrid } from '../support/process.ts'
import { Terminal } from '../support/terminal.ts'
import { testFolder } from '../support/test-folder.ts'

/** The package as it stands, but asking for a Node that does not exist yet: every Node is too old for it. */
const folder = testFolder()
const bin = join(folder, 'bin', 'tokgrid.js')
const file = join(folder, 'out.json')

beforeEach(() => {
  mkdirSync(join(folder, 'bin'))
  copyFileSync('bin/tokgrid.js', bin)
  symlinkSync(resolve('dist'), join(folder, 'dist'))
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, engines: { node: '>=999.0' } }))
})

const withOwnNode = () => symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
const endless = [
  '--headless',
  '--skip-prefill',
  '--contexts',
  '1k',
  '--concurrency',
  '2',
  '--duration',
  '60s',
]

async function launchRun() {
  withOwnNode()
  const server = await truthServer({ rate: 100 })
  const launched = startTokgrid(['run', server.url, ...endless, '-o', file], {}, bin)
  await expect.poll(async () => (await server.truth()).running, { timeout: 20_000 }).toBe(2)
  return { server, ...launched }
}

test('a Node that is too old, with no other at hand, gets two lines that say what to do', async () => {
  const { code, stderr } = await startTokgrid(['demo'], {}, bin).finished
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    `tokgrid needs Node 999.0 or newer; this is ${process.versions.node}.`,
    'Install a newer Node, for example: npm install --global node@24',
  ])
})

test('--version needs no newer Node', async () => {
  const { code, stdout } = await startTokgrid(['--version'], {}, bin).finished
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a Node that is too old starts the project’s own and passes the exit code on', async () => {
  withOwnNode()
  const { code, stderr } = await startTokgrid(['--contexts', '8x'], {}, bin).finished
  expect(code).toBe(2)
  expect(stderr).toContain('"8x" is not a list')
})

test('a signal to the launcher stops the run softly', async () => {
  const { child, finished } = await launchRun()
  child.kill('SIGTERM')
  expect((await finished).code).toBe(143)
  expect(JSON.parse(readFileSync(file, 'utf8')).run.ending).toBe('stopped')
})

test('a launcher that is killed leaves no run behind', async () => {
  const { server, child } = await launchRun()
  child.kill('SIGKILL')
  await expect.poll(async () => (await server.truth()).running, { timeout: 20_000 }).toBe(0)
  await expect
    .poll(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).run.ending, { timeout: 10_000 })
    .toBe('stopped')
})

test('a launcher that is killed while the screen is up leaves the shell its terminal, and no complaint', async () => {
  withOwnNode()
  const terminal = new Terminal('bash', ['--norc', '-i'], { columns: 80, rows: 24, env: { PS1: 'shell> ' } })
  onTestFinished(() => terminal.close())
  const pid = join(folder, 'pid')
  const run = [process.execPath, bin, 'demo', '--profile', 'fast', ...endless.slice(1), '-o', file].join(' ')
  terminal.type(`sh -c 'echo $$ > ${pid}; exec ${run}'\r`)
  await terminal.waitFor(screen => screen.isAlternate && screen.text.includes('measuring'), 20_000)
  process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
  await terminal.waitFor(({ scrollback }) => scrollback.join('\n').includes('Saved to'), 20_000)
  await terminal.quiet(1000)
  expect(terminal.isAlternate).toBe(false)
  expect(terminal.isCursorVisible).toBe(true)
  expect(terminal.scrollback.join('\n')).not.toContain('bug')
})
