import { TokgridError } from '../domain/failure.ts'
import { type RunResult, resultSchema } from './schema.ts'

/** Reads a result file's text. Throws TokgridError (usage) that names the file and the first field that is wrong. */
export function readResult(text: string, file: string): RunResult {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new TokgridError('usage', `${file} is not JSON`, 'give a result file that tokgrid wrote')
  }
  const parsed = resultSchema.safeParse(document)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? 'the document' : issue.path.join('.')
  throw new TokgridError('usage', `${file} is not a tokgrid result: ${where}: ${issue?.message ?? 'invalid'}`)
}
