import { createInterface } from 'node:readline/promises'
import type { CliContext } from './context.ts'

/** Asks a yes-or-no question on the terminal; anything but y or yes is no. */
export async function confirm(question: string, { stdin, stderr }: CliContext): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
