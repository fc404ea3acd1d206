import { expect, test } from 'vitest'
import { profiles } from '../../src/simulator/profiles.ts'
import { dialectNames } from '../../src/simulator/server-spec.ts'
import { startSimulator } from '../../src/simulator/start.ts'
import { Client } from './client.ts'

test('an unknown profile, dialect or fault is said clearly, with what there is', async () => {
  await expect(startSimulator({ profile: 'nope' })).rejects.toThrow(
    profiles.map(({ name }) => name).join(', '),
  )
  await expect(startSimulator({ profile: 'fast', dialect: 'v9' })).rejects.toThrow(dialectNames.join(', '))
  await expect(startSimulator({ profile: 'fast', faults: ['gremlins'] })).rejects.toThrow(/refuse, .*zombies/)
})

test('a taken port is said clearly; a closed server is gone', async () => {
  const first = await startSimulator({ profile: 'fast' })
  const port = Number(new URL(first.url).port)
  await expect(startSimulator({ profile: 'fast', port })).rejects.toThrow(`port ${port} is in use`)
  await first.close()
  await expect(new Client(first.url).get('/')).rejects.toThrow()
  const second = await startSimulator({ profile: 'fast', port })
  expect(second.url).toBe(first.url)
  await second.close()
})

test('a server that dies of a fault has ended, and can still be closed', async () => {
  const server = await startSimulator({ profile: 'fast', faults: ['die:afterMs=20'] })
  await server.ended
  await expect(new Client(server.url).get('/')).rejects.toThrow()
  await server.close()
})
