import { z } from 'zod'
import { resultJsonSchema } from '../result/json-schema.ts'
import { schemaMarkdown } from '../result/schema-markdown.ts'
import type { Command } from './commands.ts'
import { readFlags } from './flags.ts'

const schemaFlags = z.object({ markdown: z.boolean().default(false) })

/** `tokgrid schema`: the JSON Schema of the result file, or its reference for readers, to stdout. Returns the exit code. */
export const schemaCommand: Command = async (raw, _words, { stdout }) => {
  const { markdown } = readFlags(schemaFlags, raw)
  stdout.write(markdown ? schemaMarkdown() : `${JSON.stringify(resultJsonSchema(), null, 2)}\n`)
  return 0
}
