import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Script, scriptedServer } from '../server/scripted-server.ts'
import { simulatedServer } from '../support/own-server.ts'
import { tokgrid } from '../support/process.ts'

async function simulated(...words: readonly string[]): Promise<string> {
  return (await simulatedServer('--profile', 'fast', ...words)).url
}

const report = z.object({
  trustworthy: z.boolean(),
  findings: z.array(
    z.object({ check: z.string(), status: z.string(), saw: z.string(), fix: z.string().nullable() }),
  ),
  events: z.array(z.looseObject({ output: z.string().nullable() })),
  selfTest: z.looseObject({
    streams: z.number(),
    chunksPerSecond: z.number(),
    chunksPerSecondWanted: z.number(),
  }),
})

test('a server that offers everything is fine; the client is tested with as many streams as are wanted', async () => {
  const url = await simulated()
  const { code, stdout, stderr } = await tokgrid(['doctor', url, '--concurrency', '1,8', '--format', 'json'])
  expect([code, stderr]).toEqual([0, ''])
  const { trustworthy, findings, events, selfTest } = report.parse(JSON.parse(stdout))
  expect(trustworthy).toBe(true)
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
  expect(events.filter(({ output }) => output !== null)).toHaveLength(16)
  expect(selfTest.streams).toBe(8)
  // 100 tokens a second for each stream, give or take what the probe of 16 tokens scatters on a busy machine.
  const { chunksPerSecond, chunksPerSecondWanted } = selfTest
  expect(Math.abs(Math.log2(chunksPerSecondWanted / 800))).toBeLessThan(1)
  expect(Math.abs(chunksPerSecond / chunksPerSecondWanted - 1)).toBeLessThan(0.1)
})

test('the text names what is missing and the flag for it; warnings alone end with 0', async () => {
  const url = await simulated('--fault', 'no-metrics', '--fault', 'no-cache-report')
  const { code, stdout } = await tokgrid(['doctor', '--concurrency', '1'], { TOKGRID_URL: url })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^warn metrics .*\n +→ start the server with --enable-metrics$/m)
  expect(stdout).toMatch(/^warn cache-report .*\n +→ start the server with --enable-cache-report$/m)
  expect(stdout).toContain('A run would be trustworthy, with 3 warnings.')
})

test('what would make figures worthless ends with 3', async () => {
  const url = await simulated('--fault', 'no-usage')
  const { code, stdout } = await tokgrid(['doctor', url, '--concurrency', '1'])
  expect(code).toBe(3)
  expect(stdout).toContain('A run would not be trustworthy: 1 check failed')
})

const models = { body: { data: [{ id: 'tiny' }] } }
const refused: Script = { '/v1/models': { status: 401, body: { error: 'Unauthorized' } } }
const wrongUrls: readonly (readonly [string, Script, readonly string[], number, RegExp])[] = [
  ['has no API', {}, [], 5, /no OpenAI API .* HTTP 404/],
  ['is a web page', { '/v1/models': { body: '<html></html>' } }, [], 5, /answers with a web page/],
  ['needs a key', refused, [], 5, /needs an API key/],
  ['refuses the key', refused, ['--api-key', 'sk-wrong'], 5, /refused the API key/],
  ['never answers', { '/v1/models': 'hang' }, [], 5, /no answer within 10 s/],
  ['has another model', { '/v1/models': models }, ['--model', 'big'], 2, /no model "big"; it has tiny/],
]

test.each(wrongUrls)('a server that %s is told in one line', async (_, script, words, exitCode, line) => {
  const { url } = await scriptedServer(script)
  const { code, stdout, stderr } = await tokgrid(['doctor', url, ...words])
  expect(code).toBe(exitCode)
  expect(stdout).toBe('')
  expect(stderr).toMatch(line)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).not.toContain('sk-wrong')
})
