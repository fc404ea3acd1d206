import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { describeOrigins } from '../../src/cli/describe-origins.ts'
import { type RunFlags, readFlags, runFlags } from '../../src/cli/flags.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { apiKey, targetUrl } from '../../src/cli/target.ts'
import { withUrl } from '../../src/cli/word-lists.ts'
import { testFolder } from '../support/test-folder.ts'
import { fakeContext } from './fake-context.ts'

const file = join(testFolder(), 'bench.yaml')

afterEach(() => {
  vi.unstubAllEnvs()
})

type Given = { readonly flags: RunFlags; readonly origins: CliContext['origins'] }

/** What `run` is given for these words and a file of this text. */
async function parse(text: string, ...words: string[]): Promise<Given> {
  writeFileSync(file, text)
  let given: Given | null = null
  const specs = commands.map(spec => ({
    ...spec,
    load:
      async () =>
      async (raw: Readonly<Record<string, unknown>>, [url]: readonly string[], { origins }: CliContext) => {
        given = { flags: readFlags(runFlags, withUrl(raw, url)), origins }
        return 0
      },
  }))
  const program = buildProgram(specs, { ...fakeContext(), env: process.env }, () => {})
  await program.parseAsync(['run', '--config', file, ...words], { from: 'user' })
  if (given === null) throw new Error('run was not called')
  return given
}

const settings = ({ origins }: Given) =>
  origins
    .filter(({ name }) => name !== 'config')
    .map(({ text, source }) => [text, source.replace(file, 'FILE')])

test('a YAML file gives flags by their names, lists as lists or texts, switches as true', async () => {
  const { flags } = await parse(`
contexts: [8k, 16384]
concurrency: 1,4
max-tokens: 2k
duration: 500ms
skipPrefill: true
header:
  - "X-A: 1"
  - "X-B: 2"
extra-body: {top_p: 0.9}
no-color: true
commit: 0123456
`)
  expect(flags).toMatchObject({
    contexts: [8192, 16_384],
    concurrency: [1, 4],
    maxTokens: 2048,
    duration: 0.5,
    skipPrefill: true,
    header: [
      ['X-A', '1'],
      ['X-B', '2'],
    ],
    extraBody: { top_p: 0.9 },
    color: false,
    commit: '0123456',
  })
})

test('a JSON file does the same', async () => {
  const { flags } = await parse(
    '{"url": "http://gpu:30000", "max_concurrency": [2, 8], "seed": 7, "color": false}',
  )
  expect(flags).toMatchObject({ url: 'http://gpu:30000', concurrency: [2, 8], seed: 7, color: false })
})

test('the command line counts more than the environment, the environment more than the file', async () => {
  vi.stubEnv('TOKGRID_SEED', '2')
  vi.stubEnv('TOKGRID_DURATION', '2s')
  const given = await parse('seed: 3\nduration: 3s\nmax-tokens: 3k\n', '--seed', '1')
  expect(given.flags).toMatchObject({ seed: 1, duration: 2, maxTokens: 3072, repeat: 1 })
  expect(settings(given)).toEqual([
    ['--duration 2s', 'TOKGRID_DURATION'],
    ['--seed 1', 'command line'],
    ['--max-tokens 3k', 'FILE:3'],
  ])
})

test.each([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])('TOKGRID_FORCE=%s gives %s', async (value, force) => {
  vi.stubEnv('TOKGRID_FORCE', value)
  expect((await parse('seed: 1')).flags.force).toBe(force)
  expect((await parse('seed: 1', '--force')).flags.force).toBe(true)
})

test.each([['--url', 'http://b:2'], ['--host', 'b', '--port', '2'], ['http://b:2']])(
  'a target that is given (%s) silences the target of the file',
  async (...words) => {
    const { flags } = await parse('url: http://a:1', ...words)
    expect(targetUrl(flags, {})).toBe('http://b:2')
    const other = await parse('host: a\nport: 1', ...words)
    expect(targetUrl(other.flags, {})).toBe('http://b:2')
  },
)

test('what the command line says silences what the environment says in other words', async () => {
  vi.stubEnv('TOKGRID_HOST', 'a')
  vi.stubEnv('TOKGRID_PORT', '1')
  vi.stubEnv('TOKGRID_API_KEY', 'sk-environment')
  vi.stubEnv('TOKGRID_SKIP_PREFILL', '1')
  const key = `${file}.key`
  writeFileSync(key, 'sk-file')
  const given = await parse('seed: 1', 'http://b:2', '--api-key-file', key, '--prefill-only')
  expect(targetUrl(given.flags, {})).toBe('http://b:2')
  expect(apiKey(given.flags, {})).toBe('sk-file')
  expect(given.flags).toMatchObject({ skipPrefill: false, prefillOnly: true })
  expect(given.origins.filter(({ source }) => source.startsWith('TOKGRID_'))).toEqual([])
  expect(targetUrl((await parse('seed: 1')).flags, {})).toBe('http://a:1')
  expect(targetUrl((await parse('seed: 1', '--host', 'b')).flags, {})).toBe('http://b:1')
  expect(targetUrl((await parse('host: c\nport: 3')).flags, {})).toBe('http://a:1')
})

test('a url behind a list counts as one of the command line', async () => {
  vi.stubEnv('TOKGRID_URL', 'http://a:1')
  const given = await parse('url: http://c:3', '--contexts', '8k', '16k', 'http://b:2')
  expect(given.flags).toMatchObject({ contexts: [8192, 16_384], url: 'http://b:2' })
  expect(given.origins.filter(({ name }) => name === 'url')).toEqual([])
})

test('an alias stands for its anchor', async () => {
  const { flags } = await parse(`
contexts: &lengths [8k, 16k]
prefill-contexts: *lengths
seed: &one 1
repeat: *one
concurrency: [*one, 2]
extra-body: {a: &inner {b: 1}, c: *inner}
`)
  expect(flags).toMatchObject({
    contexts: [8192, 16_384],
    prefillContexts: [8192, 16_384],
    repeat: 1,
    concurrency: [1, 2],
    extraBody: { a: { b: 1 }, c: { b: 1 } },
  })
})

test('a key may stand in the file and is never shown', async () => {
  const given = await parse('api-key: sk-secret\nheader: "Authorization: Basic sk-secret"')
  expect(apiKey(given.flags, {})).toBe('sk-secret')
  expect(describeOrigins(given.origins)).toContain('--api-key <redacted>')
  expect(describeOrigins(given.origins)).not.toContain('sk-secret')
})

test.each([
  ['an unknown name', 'seed: 1\ncontext: 8k', 'FILE:2: there is no flag "context"', 'did you mean contexts?'],
  ['a name that is nothing like a flag', 'zzzzzzzz: 8k', 'FILE:1: there is no flag "zzzzzzzz"', null],
  ['a name given twice', 'maxTokens: 1\n\nmax-tokens: 2', 'FILE:3: --max-tokens is given twice', null],
  ['the same key twice', 'seed: 1\nseed: 2', 'FILE:2: Map keys must be unique', null],
  [
    'a wrong value',
    'seed: 1\nduration: soon',
    'FILE:2: --duration: "soon" is not a duration (try 30s, 500ms or 2m)',
    null,
  ],
  ['no value', 'duration:', 'FILE:1: --duration takes one value', null],
  ['a list for one value', 'duration: [1s, 2s]', 'FILE:1: --duration takes one value', null],
  ['a text for a switch', 'force: maybe', 'FILE:1: --force takes true or false', null],
  ['a switch for a text', 'model: true', 'FILE:1: --model takes one value', null],
  ['an empty list', 'contexts: []', 'FILE:1: --contexts takes a value or a list of values', null],
  ['a list instead of flags', '- 8k', 'FILE:1: holds no flags', 'write lines like "contexts: 8k,16k"'],
  ['an alias of nothing', 'extra-body: {a: *b}', 'FILE:1: --extra-body takes one value', null],
  ['an alias of itself', 'extra-body: &a {b: *a}', 'FILE:1: --extra-body takes one value', null],
  ['a switch by an alias of nothing', 'force: *b', 'FILE:1: --force takes true or false', null],
  ['a second document', 'seed: 1\n---\nseed: 2', 'FILE:2: a second document begins', null],
  ['a config inside a config', 'config: other.yaml', 'FILE:1: there is no flag "config"', null],
])('%s is told with file, line and flag', async (_, text, message, hint) => {
  await expect(parse(text)).rejects.toMatchObject({
    code: 'usage',
    message: message.replace('FILE', file),
    hint,
  })
})

test('broken YAML is told with its line', async () => {
  await expect(parse('seed: 1\ncontexts: [8k')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`${file}:2: `),
  })
})

test('a switch of the environment that is neither on nor off is refused', async () => {
  vi.stubEnv('TOKGRID_QUIET', 'fasle')
  await expect(parse('seed: 1')).rejects.toMatchObject({
    code: 'usage',
    message: 'TOKGRID_QUIET: "fasle" is neither on nor off',
    hint: 'give 1 or 0',
  })
})

test('a wrong value of the environment is told with its variable', async () => {
  vi.stubEnv('TOKGRID_FPS', '99')
  await expect(parse('seed: 1')).rejects.toMatchObject({
    message: 'TOKGRID_FPS: --fps: "99" is not a whole number from 1 to 10',
  })
})

test('a device without an end is not read for ever', async () => {
  await expect(parse('seed: 1', '--config', '/dev/zero')).rejects.toMatchObject({
    code: 'usage',
    message: '--config: /dev/zero is larger than 256 MiB',
  })
})

test('a file that is not there is told in one line', async () => {
  await expect(parse('seed: 1', '--config', '/nowhere/x.yaml')).rejects.toMatchObject({
    code: 'usage',
    message: '--config: /nowhere/x.yaml cannot be read: there is no such file',
  })
})
