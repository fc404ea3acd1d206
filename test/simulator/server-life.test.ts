import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Client, chatStream, contentChunks } from './client.ts'
import { launched } from './launched.ts'

const chatPath = '/v1/chat/completions'

/** What a new connection comes to. */
function knock({ url }: Client): Promise<string> {
  const { port, hostname } = new URL(url)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => socket.destroy())
    socket.on('error', error => resolve('code' in error ? String(error.code) : error.message))
    socket.on('close', hadError => {
      if (!hadError) resolve('open')
    })
  })
}

test('die: after N tokens every stream breaks and the port is closed', async () => {
  await using server = await launched({ faults: ['die:afterTokens=40'] })
  const { client } = server
  const streams = await Promise.all([1, 2].map(() => client.open(chatPath, chatStream(100_000))))
  const answers = await Promise.all(streams.map(({ ended }) => ended))
  for (const { ending, text } of answers) {
    expect(ending).toBe('broken')
    expect(text).not.toContain('[DONE]')
  }
  expect(answers.reduce((sum, { text }) => sum + contentChunks(text), 0)).toBeGreaterThanOrEqual(40)
  await expect.poll(() => knock(client)).toBe('ECONNREFUSED')
})

test('die: with a time alone it happens then, and taking the fault back calls it off', async () => {
  await using server = await launched({})
  const { client } = server
  await client.faults('die:afterMs=100000')
  await client.faults()
  await client.faults('die:afterMs=1')
  await expect.poll(() => knock(client)).toBe('ECONNREFUSED')
})

test('restart: down for a while, then back at the same port with nothing remembered', async () => {
  await using server = await launched({})
  const { client } = server
  await client.post(chatPath, chatStream(5))
  expect(await client.metric('num_requests_total')).toBe(1)
  const stream = await client.open(chatPath, chatStream(100_000))
  await client.faults('restart:downMs=100', 'crlf')
  expect((await stream.ended).ending).toBe('broken')
  await expect.poll(() => knock(client)).toBe('ECONNREFUSED')
  await expect.poll(() => knock(client)).toBe('open')
  expect(await client.running()).toBe(0)
  expect(await client.metric('num_requests_total')).toBeNull()
  expect((await client.json('/simulator/faults')).faults).toEqual(['crlf'])
  expect((await client.post(chatPath, chatStream(5))).status).toBe(200)
})
