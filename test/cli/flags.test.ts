import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { readFlags, runFlags } from '../../src/cli/flags.ts'
import { buildProgram, refuseUnknownCommand } from '../../src/cli/program.ts'
import { runOptions } from '../../src/cli/run-plan.ts'
import { withoutSynonyms } from '../../src/cli/synonyms.ts'
import { apiKey, targetUrl } from '../../src/cli/target.ts'
import { withUrl } from '../../src/cli/word-lists.ts'
import { fakeContext } from './fake-context.ts'

/** What the `run` command is given for these words. */
async function parse(words: readonly string[]): Promise<unknown> {
  let given: unknown
  const specs = commands.map(spec => ({
    ...spec,
    load:
      async () =>
      async (raw: Readonly<Record<string, unknown>>, [url]: readonly string[]) => {
        given = withUrl(raw, url)
        return 0
      },
  }))
  await buildProgram(specs, fakeContext(), () => {}).parseAsync(withoutSynonyms(words), { from: 'user' })
  return given
}

const flagsOf = async (...words: string[]) => readFlags(runFlags, await parse(words))

test('without flags the whole default matrix is asked for', async () => {
  expect(runOptions(await flagsOf())).toMatchObject({
    contexts: null,
    concurrency: [1, 2, 4, 8, 16, 32, 64, 128],
    durationSeconds: 30,
    maxOutputTokens: 4096,
    phases: 'both',
    prompts: 'unique',
    temperature: null,
    slo: { ttftMs: null, itlMs: null },
  })
})

test.each([
  ['commas', ['--contexts', '8k,16k']],
  ['spaces', ['--contexts', '8k', '16k']],
  ['quoted spaces', ['--contexts', '8k 16k']],
  ['a synonym', ['--input-len', '8k,16k']],
  ['a synonym with =', ['--input-len=8k,16k']],
])('lists can be given with %s', async (_, words) => {
  expect((await flagsOf(...words)).contexts).toEqual([8192, 16384])
})

test.each([
  ['first', ['http://gpu:30000', '--concurrency', '1', '2']],
  ['behind a list', ['--concurrency', '1', '2', 'http://gpu:30000']],
  ['as a flag', ['--url', 'http://gpu:30000', '--concurrency', '1,2']],
  ['as a synonym', ['--base-url=http://gpu:30000', '--concurrency', '1,2']],
  ['after the command', ['run', 'http://gpu:30000', '--concurrency', '1,2']],
])('the url can stand %s', async (_, words) => {
  const flags = await flagsOf(...words)
  expect(targetUrl(flags, {})).toBe('http://gpu:30000')
  expect(flags.concurrency).toEqual([1, 2])
})

test('the target comes from host and port, else from the environment, else it is SGLang’s port here', () => {
  expect(targetUrl({ host: 'gpu', port: 8000 }, {})).toBe('http://gpu:8000')
  expect(targetUrl({ port: 8000 }, {})).toBe('http://127.0.0.1:8000')
  expect(targetUrl({ host: 'https://gpu', port: 8000 }, {})).toBe('https://gpu:8000')
  expect(targetUrl({}, { OPENAI_BASE_URL: 'http://other/v1' })).toBe('http://other/v1')
  expect(targetUrl({}, {})).toBe('http://127.0.0.1:30000')
})

test('the key of a flag wins over that of the environment, and an empty one is none', () => {
  expect(apiKey({ apiKey: 'flag' }, { OPENAI_API_KEY: 'env' })).toBe('flag')
  expect(apiKey({}, { OPENAI_API_KEY: 'env' })).toBe('env')
  expect(apiKey({}, { OPENAI_API_KEY: '' })).toBeNull()
  expect(() => apiKey({ apiKey: 'two words' }, {})).toThrow('no header can carry')
})

test('invalid cells are measured once more only when asked for', async () => {
  expect(runOptions(await flagsOf()).retryInvalid).toBe(false)
  expect(runOptions(await flagsOf('--retry-invalid')).retryInvalid).toBe(true)
})

test('limits for requests add up', async () => {
  const { slo } = runOptions(await flagsOf('--slo', 'ttft=1s', '--slo', 'itl=50ms'))
  expect(slo).toEqual({ ttftMs: 1000, itlMs: 50 })
})

test('each flag can come from the environment', async () => {
  process.env.TOKGRID_MAX_TOKENS = '2k'
  try {
    expect((await flagsOf()).maxTokens).toBe(2048)
    expect((await flagsOf('--max-tokens', '1k')).maxTokens).toBe(1024)
  } finally {
    delete process.env.TOKGRID_MAX_TOKENS
  }
})

test('a header is name and value, and its value is never repeated in an error', async () => {
  expect((await flagsOf('--header', 'X-Team: red')).header).toEqual([['X-Team', 'red']])
  await expect(flagsOf('--header', 'sk-secret')).rejects.toThrow(/^--header: a header is "Name: value"$/)
  await expect(flagsOf('--header', 'X: a\r\nY: b')).rejects.toThrow('Name: value')
})

test('the hardware is looked at by itself, always or never', async () => {
  expect((await flagsOf()).hardware).toBe('auto')
  expect((await flagsOf('--hardware', 'off')).hardware).toBe('off')
  await expect(flagsOf('--hardware', 'maybe')).rejects.toThrow(/^--hardware: is auto, on or off$/)
})

test.each([
  ['reprot', 'did you mean report?'],
  ['docter', 'did you mean doctor?'],
  ['gpuserver', 'see tokgrid --help'],
])('the first word %s is neither a command nor a url', (word, hint) => {
  expect(() => refuseUnknownCommand([word, 'a.json'], commands)).toThrow(
    expect.objectContaining({ message: `"${word}" is neither a command nor a url`, hint }),
  )
})

test.each(['report', 'help', '--dry-run', 'gpu:30000', 'localhost', 'gpu.lan'])(
  'the first word %s is understood',
  word => {
    expect(() => refuseUnknownCommand([word], commands)).not.toThrow()
  },
)

test('fields added to requests are told without the secrets in them', async () => {
  const body = { top_p: 0.9, api_key: 'not-for-files', lora: { token: 'not-for-files' } }
  const flags = await flagsOf('--endpoint', 'completions', '--extra-body', JSON.stringify(body))
  expect(flags.extraBody).toEqual(body)
  expect(runOptions(flags)).toMatchObject({
    endpoint: 'completions',
    extraBody: { top_p: 0.9, api_key: '<redacted>', lora: { token: '<redacted>' } },
  })
})
