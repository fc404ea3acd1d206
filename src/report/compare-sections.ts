import type { Pair } from '../domain/compare-cells.ts'
import { cleanText } from '../format/clean-text.ts'
import { cut } from '../format/text-width.ts'
import { nameAll } from './cell-notes.ts'
import type { Contrast } from './compare-contrasts.ts'
import type { Comparison, RunComparison, RunHead } from './compare-model.ts'
import { listTable, matrixTable, sloTable, type Table, tallyTable } from './compare-tables.ts'
import { gateSentence, markLegend, pairName, whyNotCompared } from './compare-text.ts'
import { timeText } from './facts.ts'
import { sloText, unmetSentence } from './slo-text.ts'

/** A part of the comparison before it becomes terminal text or markdown: texts are clean. */
export type Section = {
  readonly heading: string
  readonly lines: readonly string[]
  readonly table: Table | null
}

/** All that a comparison tells, in the order of every format; what differs in spite of `--force` comes first. */
export function compareSections(comparison: Comparison): readonly Section[] {
  const { baseline, runs, runNoise } = comparison
  const noise = `Judged at 95 % each: of 20 cells without a difference one is called better or worse by chance. Runs of the same server are taken to differ by ±${runNoise * 100} %.`
  return [
    {
      heading: 'tokgrid compare',
      lines: [headLine(baseline, null), ...runs.map(run => headLine(run, baseline)), noise, markLegend],
      table: null,
    },
    ...runs.map(({ letter, conflicts }) => ({
      heading: `${letter} does not measure what A does; compared because of --force`,
      lines: contrastLines(conflicts),
      table: null,
    })),
    ...runs.flatMap(runSections),
    ...sloSections(comparison),
  ].filter(({ lines, table }) => lines.length > 0 || (table !== null && table.rows.length > 0))
}

function headLine(run: RunHead, baseline: RunHead | null): string {
  const { letter, name, model, engine, engineVersion, startedAt, ending, runId } = run
  const what = [engine, engineVersion].filter(part => part !== null).join(' ')
  const server = `${model ?? 'an unknown model'}${what === '' ? '' : ` on ${what}`}`
  const state = ending === 'completed' ? '' : `, run ${ending}`
  // Runs of other tools may have no name of their own, and then no time either.
  const isSame = runId === baseline?.runId && startedAt !== null
  const same = isSame ? `, the same run as ${baseline.letter}` : ''
  return cleanText(`${letter} = ${name}: ${server}, ${timeText(startedAt)}${state}${same}`)
}

function runSections(run: RunComparison): readonly Section[] {
  const { letter, differences, cells, prefill } = run
  const pairs = [...prefill, ...cells]
  const uncompared = pairs.filter(({ isComparable }) => !isComparable)
  return [
    { heading: `Gates, ${letter} against A`, lines: gateLines(run), table: null },
    { heading: `${letter} against A`, lines: [], table: tallyTable(run) },
    { heading: `Change from A to ${letter} in each cell`, lines: [], table: matrixTable(cells) },
    { heading: `Prefill, A and ${letter}`, lines: [], table: listTable(prefill, letter, () => true) },
    {
      heading: `${letter} is worse`,
      lines: [],
      table: listTable(cells, letter, verdict => verdict === 'worse'),
    },
    {
      heading: `${letter} is better`,
      lines: [],
      table: listTable(cells, letter, verdict => verdict === 'better'),
    },
    {
      heading: 'Not compared',
      lines: groupedLines(uncompared, pair => whyNotCompared(pair, letter)),
      table: null,
    },
    {
      heading: `What else differs, A → ${letter}`,
      lines: contrastLines(differences),
      table: null,
    },
  ]
}

/** Each sentence once, after the names of all pairs that it is true of. */
function groupedLines(pairs: readonly Pair[], sentence: (pair: Pair) => string): readonly string[] {
  return [...new Set(pairs.map(sentence))].map(
    one => `${nameAll(pairs.filter(pair => sentence(pair) === one).map(pairName))}: ${one}`,
  )
}

function gateLines(run: RunComparison): readonly string[] {
  const passed = run.gates.filter(verdict => verdict.passed).map(gateSentence)
  return [
    ...failureSentences(run).map(sentence => `FAILED: ${sentence}`),
    ...passed.map(sentence => `passed: ${sentence}`),
  ]
}

/** Why a run does not pass, one sentence each. */
export function failureSentences({ gates, lost, letter, sloRows, unmet }: RunComparison): readonly string[] {
  const failed = gates.filter(({ passed }) => !passed).map(gateSentence)
  const isLost = gates.length > 0 && lost.length > 0
  return [
    ...failed,
    ...(isLost ? [`measured in A and not in ${letter}: ${lost.map(pairName).join(', ')}`] : []),
    ...unmet.map(requirement => unmetSentence(requirement, sloRows)),
  ]
}

/** Launch commands can be pages long. */
const longestValue = 200

function contrastLines(contrasts: readonly Contrast[]): readonly string[] {
  return contrasts.map(({ name, a, b }) => `${name}: ${cut(a, longestValue)} → ${cut(b, longestValue)}`)
}

function sloSections({ slo, baseline, runs }: Comparison): readonly Section[] {
  if (slo === null) return []
  const heading = `Largest concurrency with ${sloText(slo)} for nine of ten requests`
  return [{ heading, lines: [], table: sloTable([baseline, ...runs]) }]
}
