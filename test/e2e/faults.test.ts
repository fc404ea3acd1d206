import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import { simulatedServer } from '../support/own-server.ts'
import { startTokgrid, tokgrid } from '../support/process.ts'
import { testFolder } from '../support/test-folder.ts'

const file = join(testFolder(), 'out.json')

const cells = '--headless --skip-prefill --contexts 1k --duration 1s --max-tokens 200'.split(' ')

/** A run against the simulated server with these faults. */
async function measure(faults: readonly string[], concurrency = '1,4') {
  const server = await simulatedServer('--profile', 'fast', ...faults.flatMap(fault => ['--fault', fault]))
  const run = await tokgrid(['run', server.url, ...cells, '--concurrency', concurrency, '-o', file])
  return { ...run, result: readResultFile(file) }
}

const statuses = ({ decode }: { decode: readonly { status: string }[] }) => decode.map(({ status }) => status)
/** `fast` takes 10 ms for a token of each stream. */
const rates = ({ decode }: { decode: readonly { totalTokensPerSecond: { mean: number } | null }[] }) =>
  decode.map(({ totalTokensPerSecond }) => Math.round((totalTokensPerSecond?.mean ?? 0) / 20) * 20)

test('a hostile name, lines in CRLF, frames cut anywhere and text with U+2028 change no figure and no terminal', async () => {
  const { code, stderr, result } = await measure(['hostile-name', 'crlf', 'split', 'multibyte'])
  expect(code).toBe(0)
  expect(rates(result)).toEqual([100, 400])
  // Nothing but printable characters and line ends.
  expect(stderr).toMatch(/^[\P{C}\n]*$/u)
})

test('a server that decodes on after a disconnect, and tells NaN in every gauge, is measured cell by cell', async () => {
  const { code, result } = await measure(['zombies', 'nan-metrics'])
  expect(code).toBe(0)
  expect(rates(result)).toEqual([100, 400])
  expect(result.decode.map(cell => cell.server?.running.max)).toEqual([1, 4])
})

test('without loads, and with a web page for metrics, what the server does not tell is unknown', async () => {
  const { code, result } = await measure(['no-loads', 'html-metrics'])
  expect(code).toBe(0)
  expect(statuses(result)).toEqual(['valid', 'valid'])
  expect(result.server.features).toMatchObject({ metrics: false, loads: false })
  expect(result.decode.map(cell => cell.server?.running.mean)).toEqual([null, null])
})

test('refused requests are counted, and the cells must not be compared', async () => {
  const { code, result } = await measure(['refuse:every=4'])
  expect(code).toBe(3)
  expect(statuses(result)).toContain('invalid')
  expect(result.decode.flatMap(({ reasons }) => reasons)).toContainEqual(
    expect.objectContaining({ kind: 'requests-failed', example: expect.stringContaining('HTTP 503') }),
  )
})

test('a second SIGINT does not wait for a server that lets nothing go', async () => {
  const server = await simulatedServer(...'--profile fast --fault zombies --fault abort-ignored'.split(' '))
  const endless = '--headless --skip-prefill --contexts 1k --concurrency 2 --duration 60s'.split(' ')
  const { child, finished } = startTokgrid(['run', server.url, ...endless, '-o', file])
  const running = async () =>
    z
      .object({ loads: z.array(z.looseObject({ num_running_reqs: z.number() })) })
      .parse(await (await fetch(`${server.url}/v1/loads`)).json()).loads[0]?.num_running_reqs
  await expect.poll(running, { timeout: 20_000 }).toBe(2)
  let said = ''
  child.stderr.on('data', bytes => {
    said += bytes
  })
  child.kill('SIGINT')
  await expect.poll(() => said, { timeout: 5000 }).toContain('stopping')
  // The same signal within 300 ms would count as the first.
  await new Promise(resolve => setTimeout(resolve, 400))
  child.kill('SIGINT')
  expect((await finished).code).toBe(130)
  expect(readResultFile(file).run).toMatchObject({
    ending: 'stopped',
    message: 'stopped at once',
  })
})

test('a server that dies in mid-run ends it with the reason, and the result says what was not run', async () => {
  const { code, stderr, result } = await measure(['die:afterTokens=250'], '1,2,4,8')
  expect(code).toBe(5)
  expect(stderr).toContain('could not connect')
  expect(result.run.ending).toBe('aborted')
  expect(statuses(result).slice(1)).toEqual(['failed', 'failed', 'not-run'])
})
