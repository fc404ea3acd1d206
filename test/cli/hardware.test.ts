import { expect, test } from 'vitest'
import { openHardware } from '../../src/cli/hardware.ts'
import { isThisMachine } from '../../src/cli/this-machine.ts'

test.each([
  ['http://127.0.0.1:30000', true],
  ['http://127.1.2.3/v1', true],
  ['https://localhost', true],
  ['http://[::1]:8000', true],
  ['http://0.0.0.0:8000', true],
  ['http://10.0.0.7:30000', false],
  ['http://gpu:30000', false],
  ['http://127.example.com', false],
  ['http://localhost.example.com', false],
])('a server at %s is on this machine: %s', (url, isHere) => {
  expect(isThisMachine(url)).toBe(isHere)
})

test('the hardware is looked at where the server is on this machine, or where it is asked for', () => {
  const here = 'http://127.0.0.1:30000'
  const there = 'http://gpu:30000'
  const looks = (url: string, hardware: 'auto' | 'on' | 'off') => openHardware(url, { hardware }) !== null
  expect([looks(here, 'auto'), looks(there, 'auto')]).toEqual([true, false])
  expect([looks(here, 'on'), looks(there, 'on')]).toEqual([true, true])
  expect([looks(here, 'off'), looks(there, 'off')]).toEqual([false, false])
})
