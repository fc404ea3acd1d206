import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'
import { amount } from '../format/units.ts'
import { joinResults } from '../result/join-results.ts'
import type { Command } from './commands.ts'
import { readFlags } from './flags.ts'
import { readResultFile } from './read-result-file.ts'
import { documentText, ResultFile } from './result-file.ts'

const importFlags = z.object({ output: z.string().default('-') })

/** `tokgrid import`: other tools' files as one result of ours, to a file or stdout. Returns the exit code. */
export const importCommand: Command = async (raw, words, { stdout, stderr }) => {
  const { output } = readFlags(importFlags, raw)
  const [first, ...others] = words.map(name => ({ name, result: readResultFile(name) }))
  if (first === undefined) throw new TokgridError('usage', 'no file is named', 'tokgrid import FILE -o OUT')
  const result = joinResults([first, ...others])
  if (output === '-') {
    stdout.write(documentText(result))
    return 0
  }
  const file = new ResultFile(output)
  file.write(result)
  if (file.failure !== null) throw new TokgridError('output', `${output}: ${file.failure}`)
  const from = result.imported?.from ?? result.tool.name
  const { decode, prefill } = result
  stderr.write(
    `${file.path}: ${amount(decode.length, 'cell')}, ${amount(prefill.length, 'prefill row')}, from ${from}\n`,
  )
  return 0
}
