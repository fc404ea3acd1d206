import type { CliContext } from '../../src/cli/context.ts'

/** The process as a command sees it, with nothing given. */
export function fakeContext(): CliContext {
  const { stdin, stdout, stderr } = process
  return {
    version: '0.0.0',
    words: [],
    origins: [],
    env: {},
    stdin,
    stdout,
    stderr,
    crashHandlers: new Set(),
    crash: () => {},
  }
}
