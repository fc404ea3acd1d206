import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'
import { cleanText } from '../format/clean-text.ts'
import { conflictsOf } from '../report/compare-contrasts.ts'
import { compareMarkdown } from '../report/compare-markdown.ts'
import { type Comparison, compareRuns, type NamedResult } from '../report/compare-model.ts'
import { compareSections, failureSentences } from '../report/compare-sections.ts'
import { compareTerminal } from '../report/compare-terminal.ts'
import type { Command } from './commands.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-code.ts'
import { readFlags } from './flags.ts'
import { gate, requirement, sloOf, sloTerm } from './limit-flags.ts'
import { readResultFile } from './read-result-file.ts'
import { formatFor, pageAssets, refuseOverwriting, shortNames, writeReport } from './report-file.ts'
import { isAscii, widthOf } from './terminal.ts'

const formats = ['terminal', 'markdown', 'json', 'html'] as const

const runNoise = z.string().transform((text, context): number => {
  const share = Number(text.trim().replace(/\s*%$/, '') || Number.NaN) / 100
  if (share >= 0 && share <= 0.5) return share
  context.addIssue({ code: 'custom', message: `"${text}" is not a share from 0% to 50% (try 1%)` })
  return z.NEVER
})

const compareFlags = z.object({
  format: z.enum(formats, `is one of ${formats.join(', ')}`).optional(),
  output: z.string().default('-'),
  force: z.boolean().default(false),
  gate: z.array(gate).default([]),
  runNoise: runNoise.default(0.01),
  slo: z.array(sloTerm).default([]),
  require: z.array(requirement).default([]),
  ascii: z.boolean().default(false),
})
type CompareFlags = z.infer<typeof compareFlags>

/** One letter for each run. */
const mostRuns = 26
/** `tokgrid compare A B [C…]`: results against the first. Returns 4 when a gate or requirement fails. */
export const compareCommand: Command = async (raw, words, context) => {
  const flags = readFlags(compareFlags, raw)
  const slo = sloOf(flags.slo, flags.require)
  refuseOverwriting(flags.output, words)
  const [baseline, ...others] = namedResults(words)
  if (baseline === undefined || others.length === 0)
    throw new TokgridError('usage', 'at least two results are needed', 'tokgrid compare BASELINE NEW')
  if (!flags.force) for (const other of others) refuseConflicts(baseline, other)
  const comparison = compareRuns(baseline, others, {
    runNoise: flags.runNoise,
    gates: flags.gate,
    slo,
    requirements: flags.require,
  })
  writeReport(await textOf(comparison, [baseline, ...others], flags, context), flags.output, context)
  if (comparison.passed) return exitCodes.done
  for (const run of comparison.runs)
    for (const sentence of failureSentences(run))
      context.stderr.write(`tokgrid: ${cleanText(`${run.name}: ${sentence}`)}\n`)
  return exitCodes.gateFailed
}

function namedResults(paths: readonly string[]): readonly NamedResult[] {
  if (paths.length > mostRuns)
    throw new TokgridError('usage', `at most ${mostRuns} results can be compared`, 'give fewer files')
  const names = shortNames(paths)
  return paths.map((path, index) => ({ name: names[index] ?? path, result: readResultFile(path) }))
}

function refuseConflicts(a: NamedResult, b: NamedResult): void {
  const conflicts = conflictsOf(a.result, b.result)
  if (conflicts.length === 0) return
  const told = conflicts.map(({ name, a, b }) => `${name} ${a} against ${b}`).join(', ')
  throw new TokgridError(
    'usage',
    `${a.name} and ${b.name} measure different things: ${told}`,
    '--force compares them all the same',
  )
}

async function textOf(
  comparison: Comparison,
  runs: readonly NamedResult[],
  flags: CompareFlags,
  context: CliContext,
): Promise<string> {
  const { output, runNoise } = flags
  const format = formatFor(flags.format, output, formats)
  switch (format) {
    case 'terminal': {
      const isScreen = output === '-'
      const width = isScreen ? widthOf(context.stdout, context) : 80
      return compareTerminal(comparison, { width, ascii: isScreen ? isAscii(flags, context) : flags.ascii })
    }
    case 'markdown':
      return compareMarkdown(comparison)
    case 'json':
      return `${JSON.stringify(comparison, null, 1)}\n`
    case 'html': {
      const { renderHtml } = await import('../report/html/render-html.ts')
      return renderHtml(
        runs.map(({ result }) => result),
        {
          page: pageAssets(),
          names: runs.map(({ name }) => name),
          slo: comparison.slo,
          comparison: { sections: compareSections(comparison), runNoise },
        },
      )
    }
    default:
      return format satisfies never
  }
}
