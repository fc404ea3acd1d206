import { readResult } from '../result/read-result.ts'
import { type RunResult, resultSchema } from '../result/schema.ts'
import { redactSettings } from '../server/redact.ts'
import { readFileText } from './read-file.ts'

/**
 * A result from a file, `-` for stdin, of tokgrid or of a tool that it imports; secrets that another tool left in it are
 * removed. Throws TokgridError (usage) in one line.
 */
export function readResultFile(path: string): RunResult {
  // Opened anew: the process's own stdin does not wait for a slow writer.
  const [file, name] = path === '-' ? ['/dev/stdin', 'stdin'] : [path, path]
  const result = readResult(readFileText(file, name), name)
  return result.imported === null ? result : resultSchema.parse(redactSettings(result))
}
