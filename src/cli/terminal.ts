import type { CliContext } from './context.ts'
import type { RunFlags } from './flags.ts'

/** Whether a screen can be drawn and keys can be read. */
export function isTerminal({ stdin, stdout, env }: CliContext): boolean {
  return stdout.isTTY === true && stdin.isTTY === true && env.TERM !== 'dumb'
}

/** How many colours to use; NO_COLOR set to anything asks for none. */
export function colours({ color }: Pick<RunFlags, 'color'>, { env, stdout }: CliContext): 0 | 16 | 256 {
  if (!color || (env.NO_COLOR !== undefined && env.NO_COLOR !== '')) return 0
  const bits = stdout.getColorDepth()
  if (bits >= 8) return 256
  return bits >= 4 ? 16 : 0
}

/** Whether ASCII was asked for, or is all that the terminal's locale can show. */
export function isAscii({ ascii }: Pick<RunFlags, 'ascii'>, { env }: CliContext): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return ascii || (locale !== '' && !/utf-?8/i.test(locale))
}

/** Columns of the terminal that a stream leads to, at least 40; a pipe or a file gets 80. */
export function widthOf(stream: NodeJS.WriteStream, { env }: CliContext): number {
  const columns = stream.columns ?? Number(env.COLUMNS)
  return columns >= 1 ? Math.max(40, columns) : 80
}
