import { expect, test } from 'vitest'
import { colours } from '../../src/cli/terminal.ts'
import { fakeContext } from './fake-context.ts'

const withDepth = (bits: number, env: NodeJS.ProcessEnv = {}) => ({
  ...fakeContext(),
  env,
  stdout: Object.assign(Object.create(process.stdout), { getColorDepth: () => bits }),
})

test.each([
  [1, 0],
  [4, 16],
  [8, 256],
  [24, 256],
])('a terminal of %i bits of colour is given %i colours', (bits, given) => {
  expect(colours({ color: true }, withDepth(bits))).toBe(given)
})

test('NO_COLOR and --no-color ask for none', () => {
  expect(colours({ color: true }, withDepth(24, { NO_COLOR: '1' }))).toBe(0)
  expect(colours({ color: true }, withDepth(24, { NO_COLOR: '' }))).toBe(256)
  expect(colours({ color: false }, withDepth(24))).toBe(0)
})
