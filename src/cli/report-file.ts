import { readFileSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { TokgridError } from '../domain/failure.ts'
import type { PageAssets } from '../report/html/render-html.ts'
import type { CliContext } from './context.ts'
import { writeText } from './result-file.ts'

const formatOfExtension: Readonly<Record<string, string>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.csv': 'csv',
  '.json': 'json',
}

/** The format that is asked for, else the one of the file's ending, else the first. */
export function formatFor<Format extends string>(
  asked: Format | undefined,
  output: string,
  formats: readonly [Format, ...Format[]],
): Format {
  const named = formatOfExtension[extname(output).toLowerCase()]
  return asked ?? formats.find(format => format === named) ?? formats[0]
}

/** Throws TokgridError (usage) when a report would take the place of one of its results. */
export function refuseOverwriting(output: string, results: readonly string[]): void {
  if (output !== '-' && results.some(result => resolve(result) === resolve(output)))
    throw new TokgridError('usage', `-o ${output} would overwrite the result`, 'name another file')
}

/** Writes a report to its file, `-` for stdout. Throws TokgridError (output) when the disk refuses. */
export function writeReport(text: string, output: string, { stdout }: CliContext): void {
  const failure = output === '-' ? null : writeText(output, text)
  if (failure !== null) throw new TokgridError('output', `${output} cannot be written: ${failure}`)
  if (output === '-') stdout.write(text)
}

/** What the build made of the HTML page's script and style; they lie beside this code then. */
export function pageAssets(): PageAssets {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  return { script: read('report-page.js'), style: read('report-page.css') }
}

/** Files by their names without folders where these differ, else by their paths. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const names = paths.map(path => basename(path))
  return new Set(names).size === names.length ? names : paths
}
