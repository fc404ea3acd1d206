import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname
const slow = { root, testTimeout: 120_000, hookTimeout: 60_000 }
/** Figures held against what a server really sent: nothing else may run beside them. */
const alone = ['test/e2e/truth.test.ts', 'test/e2e/measure.test.ts']

/**
 * `unit`: no real seconds, no network beyond loopback. `e2e` and `alone` drive the built bin and need `npm run build`; their
 * tests mostly wait, so that two files go at a time.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', root, include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/e2e/**'] },
      },
      {
        test: {
          ...slow,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { ...slow, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
