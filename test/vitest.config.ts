import { defineConfig } from 'vitest/config'

/** `unit`: no real seconds, no network beyond loopback. `e2e`: drives the built bin, needs `npm run build`. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root: new URL('..', import.meta.url).pathname,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
        },
      },
      {
        test: {
          name: 'e2e',
          root: new URL('..', import.meta.url).pathname,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
