import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { commands } from '../../src/cli/commands.ts'
import { startSimulateCommand, tokgrid } from '../support/process.ts'

// Every command that the help or the README shows is run as it stands, but for the server's address and the seconds that it
// takes; several at a time, since most of them wait most of the time.

const root = new URL('../..', import.meta.url).pathname
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

type Server = Awaited<ReturnType<typeof startSimulateCommand>>

let folder: string
/** Commands that run at the same time have servers of their own: they would measure each other. */
const servers: Server[] = []
const idleServers: Server[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tokgrid-examples-'))
  const bin = join(folder, 'tokgrid')
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${root}bin/tokgrid.js' "$@"\n`)
  chmodSync(bin, 0o755)
  writeFileSync(join(folder, 'config.yaml'), 'fps: 4\n')
  const server = await startServer()
  const files = ['-o', join(folder, 'result.json'), '--events', join(folder, 'run.ndjson')]
  await tokgrid(['run', server.url, '--quiet', ...files], environment)
  idleServers.push(server)
})

afterAll(() => {
  for (const server of servers) server.stop()
  rmSync(folder, { recursive: true })
})

async function startServer(): Promise<Server> {
  const server = await startSimulateCommand(['--profile', 'fast', '--speed', '4'])
  servers.push(server)
  return server
}

/** Runs until somebody ends it. */
const endless = /^tokgrid (watch\b(?!.*--once)|simulate\b(?!.*\blist\b))/
/** What installs, builds or tests the project itself: that it exists is all that is looked at here. */
const ofProject = /^npm (ci|install|test|run (?!demo\b))/
/** A window of a second may be judged too short on a busy machine, and a limit may not hold. */
const fineCodes = [0, 3, 4]
const environment = {
  TOKGRID_CONTEXTS: '8k',
  TOKGRID_CONCURRENCY: '1,2',
  TOKGRID_DURATION: '500ms',
  TOKGRID_MAX_TOKENS: '64',
  TOKGRID_SPEED: '20',
}

/** The commands of the README's shell blocks. */
function readmeCommands(): readonly string[] {
  const blocks = [...read('README.md').matchAll(/^```(?:sh|bash)\n(.*?)^```/gms)]
  return blocks
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap(line => line.replace(/\s#.*/, '').split('&&'))
    .map(command => command.trim().replace(/^node bin\/tokgrid\.js/, 'tokgrid'))
    .filter(command => /^(tokgrid|npm)\b/.test(command))
}

/** The same command against a server of ours, in little time. */
function quick(command: string): string {
  return command
    .replace(/^npm run demo\b( --)?/, 'tokgrid demo')
    .replaceAll(/https?:\/\/[\w.-]+(:\d+)?/g, '$TOKGRID_URL')
    .replaceAll(/--duration \S+/g, '--duration 500ms')
    .replaceAll(/--concurrency \S+/g, '--concurrency 1,2')
    .replaceAll(/--speed \S+/g, '--speed 20')
    .replace(/(simulate.*)--port \S+/, '$1--port 0')
    .replace(/simulate(?!.*--port)/, 'simulate --port 0')
}

/** A folder of its own with the files that the command names: results, journals and settings. */
function folderFor(command: string): string {
  const cwd = mkdtempSync(join(folder, 'run-'))
  const fixture = (name: string) => join(root, 'test/fixtures/import', name)
  for (const word of command.split(/\s+/)) {
    const path = join(cwd, word)
    if (!/^[\w.-]+\.(json|ndjson|ya?ml)$/.test(word)) continue
    const [, ending] = word.split('.')
    if (ending === 'ndjson') copyFileSync(join(folder, 'run.ndjson'), path)
    else if (ending !== 'json') copyFileSync(join(folder, 'config.yaml'), path)
    else if (!/\bimport\b/.test(command)) copyFileSync(join(folder, 'result.json'), path)
    else if (word.startsWith('benchmark_results'))
      copyFileSync(fixture('llm-inference-bench-0.4.18-result.json'), path)
    else writeFileSync(path, vllmRun(Number(/\d+/.exec(word))))
  }
  return cwd
}

/** A run of vLLM's benchmark with so many requests at once. */
function vllmRun(concurrency: number): string {
  const run: object = JSON.parse(read('test/fixtures/import/vllm-bench-serve.json'))
  return JSON.stringify({ ...run, max_concurrency: concurrency })
}

async function run(command: string, server: Server) {
  const child = spawn('bash', ['-c', quick(command)], {
    cwd: folderFor(command),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      LANG: 'C.UTF-8',
      TOKGRID_URL: server.url,
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', bytes => {
      output += bytes
      if (endless.test(command)) child.kill()
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Where each command line is shown, and the line; those that come to the same are run once. */
const examples = new Map(
  [
    ...commands.flatMap(({ name, examples = [] }) =>
      examples.map(([command]) => [`the help of ${name}`, command] as const),
    ),
    ...readmeCommands().map(command => ['the README', command] as const),
  ].map(example => [quick(example[1]), example]),
)

test('every command has examples', () => {
  expect(commands.filter(({ examples = [] }) => examples.length === 0).map(({ name }) => name)).toEqual([])
})

test('the README shows every command', () => {
  const words = readmeCommands().flatMap(command => command.split(' '))
  expect(commands.map(({ name }) => name).filter(name => name !== 'run' && !words.includes(name))).toEqual([])
})

test.concurrent.each([...examples.values()])('%s: %s', async (_, command) => {
  if (ofProject.test(command)) {
    const script = /^npm run (\S+)/.exec(command)?.[1] ?? 'test'
    expect(Object.keys(scripts)).toContain(script)
    return
  }
  const server = idleServers.pop() ?? (await startServer())
  const { code, output } = await run(command, server)
  idleServers.push(server)
  expect(output).not.toMatch(/see tokgrid --help|a bug, please report/)
  expect(endless.test(command) ? [0, 143, null] : fineCodes, `exit ${code}\n${output}`).toContain(code)
})
