import type { Pair } from '../domain/compare-cells.ts'
import { comparedFigures } from '../domain/compared-cell.ts'
import type { Column } from '../format/table.ts'
import { contextName } from '../format/units.ts'
import { markedChange } from './change-text.ts'
import type { RunComparison, RunHead } from './compare-model.ts'
import { figureTexts, intervalText, pairName } from './compare-text.ts'
import { sloRowText } from './slo-text.ts'

/** Columns to the left name a row, those to the right hold figures. */
export type Table = { readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] }

/** How many columns at the left name a row; the others hold figures. */
export function labelColumns({ columns }: Table): number {
  return columns.filter(({ align }) => align === 'left').length
}

/** Each figure on the whole: how many cells, how many of them by chance, and the mean. */
export function tallyTable({ tallies }: RunComparison): Table {
  return {
    columns: [
      left('figure'),
      ...['better', 'worse', 'same', 'unknown', 'by chance', 'mean change'].map(right),
      right('95 % interval'),
      right('cells'),
    ],
    rows: tallies.map(({ figure, better, worse, same, unknown, expectedFalseAlarms, mean, n }) => [
      figureTexts[figure].title,
      String(better),
      String(worse),
      String(same),
      String(unknown),
      expectedFalseAlarms.toFixed(1),
      mean === null ? '–' : markedChange(mean),
      intervalText(mean?.interval ?? null),
      String(n),
    ]),
  }
}

/** The change of each figure in each cell, contexts down, concurrency across. */
export function matrixTable(cells: readonly Pair[]): Table {
  const contexts = ascending(cells.map(({ contextTokens }) => contextTokens))
  const streams = ascending(cells.flatMap(({ concurrency }) => concurrency ?? []))
  const figures = comparedFigures.filter(({ figure }) => cells.some(cell => cell.differences[figure]))
  return {
    columns: [left('context'), left('figure'), ...streams.map(one => right(`C=${one} `))],
    rows: contexts.flatMap(contextTokens =>
      figures.map(({ figure }, index) => [
        index === 0 ? contextName(contextTokens) : '',
        figureTexts[figure].title,
        ...streams.map(one => {
          const cell = cells.find(pair => pair.contextTokens === contextTokens && pair.concurrency === one)
          const difference = cell?.differences[figure]
          if (difference !== undefined) return markedChange(difference)
          return cell === undefined ? '' : '–'
        }),
      ]),
    ),
  }
}

/** The figures whose verdict is wanted, with both values and the interval. */
export function listTable(
  pairs: readonly Pair[],
  letter: string,
  isWanted: (verdict: string) => boolean,
): Table {
  return {
    columns: [
      left('cell'),
      left('figure'),
      right('A'),
      right(letter),
      right('change '),
      right('95 % interval'),
    ],
    rows: pairs.flatMap(pair =>
      comparedFigures.flatMap(({ figure }) => {
        const difference = pair.differences[figure]
        if (difference === undefined || !isWanted(difference.verdict)) return []
        const { title, text } = figureTexts[figure]
        const { a, b, interval } = difference
        return [[pairName(pair), title, text(a), text(b), markedChange(difference), intervalText(interval)]]
      }),
    ),
  }
}

/** The largest concurrency of each context, a column for each run. */
export function sloTable(all: readonly RunHead[]): Table {
  const contexts = ascending(all.flatMap(({ sloRows }) => sloRows.map(row => row.contextTokens)))
  const rows = contexts.map(contextTokens => [
    contextName(contextTokens),
    ...all.map(({ sloRows }) => {
      const row = sloRows.find(one => one.contextTokens === contextTokens)
      return row === undefined ? '' : sloRowText(row)
    }),
  ])
  return { columns: [left('context'), ...all.map(({ letter }) => right(letter))], rows }
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

function left(title: string): Column {
  return { title, align: 'left' }
}

function right(title: string): Column {
  return { title, align: 'right' }
}
