import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/server-spec.ts'
import { launched } from '../simulator/launched.ts'
import { examine, troubles } from './examine.ts'

async function examined(options: Partial<SimulatorOptions>) {
  await using server = await launched(options)
  return await examine(server.client.url, { apiKey: options.apiKey ?? null })
}

test('of a server that offers everything, everything is fine', async () => {
  expect(troubles(await examined({}))).toEqual([])
})

test.each([
  ['no-metrics', ['metrics', 'realtime-counters'], 'warn', '--enable-metrics'],
  ['html-metrics', ['metrics', 'realtime-counters'], 'warn', '--enable-metrics'],
  ['no-realtime-counters', ['realtime-counters'], 'warn', '0.5.7'],
  ['no-loads', ['live-requests'], 'warn', '0.5.8'],
  ['no-cache-report', ['cache-report'], 'warn', '--enable-cache-report'],
  ['no-tokenize', ['tokenizer'], 'warn', '0.5.3'],
  ['no-abort', ['abort'], 'warn', '/abort_request'],
  ['final-usage-only', ['token-counts'], 'warn', 'continuous_usage_stats'],
])('with %s, it is told that %s is missing, and what brings it', async (fault, checks, status, fix) => {
  const findings = await examined({ faults: [fault] })
  expect(troubles(findings)).toEqual(checks)
  for (const check of checks)
    expect(findings.get(check)).toMatchObject({ status, fix: expect.stringContaining(fix) })
})

test('a prompt that another rank may have had says nothing of the cache', async () => {
  const findings = await examined({ dataParallelRanks: 2 })
  expect(troubles(findings)).toEqual(['cache-report'])
  expect(findings.get('cache-report')).toMatchObject({
    status: 'unknown',
    saw: expect.stringContaining('another rank'),
  })
})

test('without any usage, figures could not be trusted', async () => {
  const findings = await examined({ faults: ['no-usage'] })
  expect(troubles(findings)).toEqual(['token-counts'])
  expect(findings.get('token-counts')).toMatchObject({
    status: 'fail',
    fix: expect.stringContaining('stream_options'),
  })
})

test('an abort that needs the admin key is told', async () => {
  const findings = await examined({ apiKey: 'sk-user', adminApiKey: 'sk-admin' })
  expect(troubles(findings)).toEqual(['abort'])
  expect(findings.get('abort')).toMatchObject({ status: 'warn', saw: expect.stringContaining('401') })
})

test('an old server lacks what came later', async () => {
  expect(troubles(await examined({ dialect: 'v0.4' }))).toEqual([
    'live-requests',
    'realtime-counters',
    'tokenizer',
    'token-counts',
  ])
})

test.each([
  ['stall', 'no further token', 'stuck'],
  ['endless-line', 'more than 4 MiB', 'nothing before it changes answers'],
  ['cut', 'broke off', 'cuts streams'],
  ['stream-error', 'illegal memory access', 'log of the server'],
  ['refuse:every=1', 'HTTP 503', 'log of the server'],
])('a server with the fault %s fails by one line', async (fault, saw, fix) => {
  const findings = await examined({ faults: [fault] })
  expect(findings.get('generation')).toMatchObject({
    status: 'fail',
    saw: expect.stringContaining(saw),
    fix: expect.stringContaining(fix),
  })
})

test('what comes before the first text is not taken for a token', async () => {
  // The role is an event of its own.
  expect((await examined({})).get('first-token')?.saw).toMatch(/^event 2, .* 1 event before it without text/)
})
