import { TokgridError } from '../domain/failure.ts'
import { ForeignFields } from './foreign-fields.ts'
import { importAiperf, isAiperf } from './import-aiperf.ts'
import { importSglangBench, importVllmBench, isSglangBench, isVllmBench } from './import-bench-serving.ts'
import { importLlmInferenceBench, isLlmInferenceBench } from './import-llm-inference-bench.ts'
import { joinResults } from './join-results.ts'
import { parseDocuments } from './parse-documents.ts'
import { type RunResult, resultSchema, schemaVersion } from './schema.ts'
import { upgradeResult } from './upgrade-result.ts'

/** Other tools' files, recognised by what is in them. */
const importers = [
  { recognises: isLlmInferenceBench, convert: importLlmInferenceBench },
  { recognises: isVllmBench, convert: importVllmBench },
  { recognises: isSglangBench, convert: importSglangBench },
  { recognises: isAiperf, convert: importAiperf },
]

/**
 * Reads a result file's text: ours, of this version or an older one, or another tool's (then `imported` says whose).
 * `file` names it in messages. Throws TokgridError (usage) that names the file and the first field that is wrong.
 */
export function readResult(text: string, file: string): RunResult {
  const [first, ...others] = parseDocuments(text, file).map((document, index, all) => {
    const place = all.length === 1 ? file : `${file}, line ${index + 1}`
    return { name: place, result: readDocument(document, place) }
  })
  if (first === undefined) throw new TokgridError('usage', `${file} is empty`)
  return joinResults([first, ...others])
}

function readDocument(document: unknown, place: string): RunResult {
  const foreign = isObject(document) ? new ForeignFields(document, place) : null
  const importer = foreign === null ? undefined : importers.find(({ recognises }) => recognises(foreign))
  // Through the schema, too, so that an importer's slip is found here and not by a report.
  const own =
    foreign !== null && importer !== undefined ? importer.convert(foreign) : upgraded(document, place)
  const parsed = resultSchema.safeParse(own)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? 'the document' : issue.path.join('.')
  throw new TokgridError(
    'usage',
    `${place} is not a tokgrid result: ${where}: ${issue?.message ?? 'invalid'}`,
    where === 'schema' ? 'nor is it a file of another tool that tokgrid reads' : null,
  )
}

function upgraded(document: unknown, place: string): unknown {
  return isObject(document) && document.schema === 'tokgrid/result'
    ? upgradeResult(document, place, schemaVersion)
    : document
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
