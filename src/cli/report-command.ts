import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'
import type { Slo } from '../domain/run-options.ts'
import { sloRows, unmetRequirements } from '../domain/slo.ts'
import type { NamedResult } from '../report/compare-model.ts'
import { csvReport } from '../report/csv-report.ts'
import { markdownReport } from '../report/markdown-report.ts'
import { unmetSentence } from '../report/slo-text.ts'
import { terminalReport } from '../report/terminal-report.ts'
import type { Command } from './commands.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-code.ts'
import { readFlags } from './flags.ts'
import { requirement, sloOf, sloTerm } from './limit-flags.ts'
import { readResultFile } from './read-result-file.ts'
import { formatFor, pageAssets, refuseOverwriting, shortNames, writeReport } from './report-file.ts'
import { documentText } from './result-file.ts'
import { colours, isAscii, widthOf } from './terminal.ts'

const formats = ['terminal', 'markdown', 'html', 'csv', 'json'] as const
type Format = (typeof formats)[number]

const reportFlags = z.object({
  format: z.enum(formats, `is one of ${formats.join(', ')}`).optional(),
  output: z.string().default('-'),
  slo: z.array(sloTerm).default([]),
  require: z.array(requirement).default([]),
  details: z.boolean().default(false),
  ascii: z.boolean().default(false),
  color: z.boolean().default(true),
})
type ReportFlags = z.infer<typeof reportFlags>

/** `tokgrid report`: results for readers, to stdout or a file. Returns the exit code. */
export const reportCommand: Command = async (raw, words, context) => {
  const flags = readFlags(reportFlags, raw)
  const { output } = flags
  if (words.length === 0) throw new TokgridError('usage', 'no file is named', 'tokgrid report FILE')
  refuseOverwriting(output, words)
  const runs = words.map(name => ({ name, result: readResultFile(name) }))
  const format = formatFor(flags.format, output, formats)
  const slo = sloOf(flags.slo, flags.require)
  const text = await textOf(runs, format, flags, slo, context)
  writeReport(text, output, context)
  const unmet = slo === null ? [] : runs.flatMap(run => unmetOf(run, slo, flags))
  for (const sentence of unmet) context.stderr.write(`tokgrid: ${sentence}\n`)
  return unmet.length === 0 ? exitCodes.done : exitCodes.gateFailed
}

function unmetOf({ name, result }: NamedResult, slo: Slo, flags: ReportFlags): readonly string[] {
  const rows = sloRows(result.decode, slo)
  return unmetRequirements(rows, flags.require).map(one => `${name}: ${unmetSentence(one, rows)}`)
}

async function textOf(
  runs: readonly NamedResult[],
  format: Format,
  flags: ReportFlags,
  slo: Slo | null,
  context: CliContext,
): Promise<string> {
  switch (format) {
    case 'terminal':
      return terminalText(runs, flags, slo, context)
    case 'markdown':
      return runs.map(({ result }) => markdownReport(result, slo)).join('\n')
    case 'html': {
      const { renderHtml } = await import('../report/html/render-html.ts')
      const results = runs.map(({ result }) => result)
      return renderHtml(results, { page: pageAssets(), names: shortNames(runs.map(({ name }) => name)), slo })
    }
    case 'csv':
      return csvReport(runs)
    case 'json': {
      const [first, ...others] = runs
      return first !== undefined && others.length === 0
        ? documentText(first.result)
        : `${JSON.stringify(
            runs.map(({ result }) => result),
            null,
            1,
          )}\n`
    }
    default:
      return format satisfies never
  }
}

function terminalText(
  runs: readonly NamedResult[],
  flags: ReportFlags,
  slo: Slo | null,
  context: CliContext,
): string {
  const { stdout, env } = context
  const isScreen = flags.output === '-'
  const isStyled = isScreen && stdout.isTTY === true && env.TERM !== 'dumb' && colours(flags, context) > 0
  const options = {
    width: isScreen ? widthOf(stdout, context) : 80,
    ascii: isScreen ? isAscii(flags, context) : flags.ascii,
    emphasis: isStyled,
    details: flags.details,
    slo,
    savedTo: null,
  }
  return runs
    .map(({ name, result }) => (runs.length > 1 ? `== ${name}\n` : '') + terminalReport(result, options))
    .join('\n')
}
