// Prints two tables of the same server side by side, cell by cell, with the deviation of the second from the first:
//   npm run side-by-side -- PUBLISHED.json RESULT.json [--speed N] [--max-context 256k]
// Both may be tokgrid results or tables of the published shape (rows with contextK); `--speed` is that of the simulated server which
// gave the second: its rates are divided by it, its times multiplied. TTFT is that of the C requests that a cell begins with (p50).
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { median } from '../../src/simulator/fit/measure-profile.ts'
import {
  atSpeedOne,
  type MeasuredCell,
  type MeasuredTable,
  readMeasuredTable,
} from '../../src/simulator/fit/measured-table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { speed: { type: 'string', default: '1' }, 'max-context': { type: 'string', default: '1024k' } },
})
const [publishedPath, resultPath] = positionals
if (publishedPath === undefined || resultPath === undefined) {
  process.stderr.write(
    'usage: npm run side-by-side -- PUBLISHED.json RESULT.json [--speed N] [--max-context 256k]\n',
  )
  process.exit(2)
}
const maxContext = Number(values['max-context'].replace(/k$/i, '')) * 1024
const published = cut(read(publishedPath), maxContext)
const result = cut(atSpeedOne(read(resultPath), Number(values.speed)), maxContext)

const figures = [
  { name: 'total tok/s', of: (cell: MeasuredCell) => cell.totalTokensPerSecond, digits: 1 },
  { name: 'req tok/s', of: (cell: MeasuredCell) => cell.perRequestTokensPerSecond, digits: 1 },
  { name: 'TTFT ms', of: (cell: MeasuredCell) => cell.launchTtftMs, digits: 0 },
  { name: 'ITL ms', of: (cell: MeasuredCell) => cell.itlMs, digits: 1 },
] as const

print(['context', 'C', 'status', ...figures.flatMap(({ name }) => [name, '', '']), 'active', ''])
const statuses = { same: 0, different: 0 }
const deviations = new Map<string, { cell: string; percent: number }[]>()
for (const cell of published.cells) {
  const other = result.cells.find(
    ({ contextTokens, concurrency }) =>
      contextTokens === cell.contextTokens && concurrency === cell.concurrency,
  )
  const place = `${cell.contextTokens / 1024}K × ${cell.concurrency}`
  const isSame = other?.status === cell.status
  statuses[isSame ? 'same' : 'different']++
  print([
    `${cell.contextTokens / 1024}K`,
    String(cell.concurrency),
    isSame ? cell.status : `${cell.status} ≠ ${other?.status ?? 'absent'}`,
    ...figures.flatMap(({ name, of, digits }) =>
      compared(name, place, of(cell), other === undefined ? null : of(other), digits),
    ),
    shown(cell.running, 1),
    shown(other?.running ?? null, 1),
  ])
}
print(['prefill', '', '', 'prompt tok/s', '', '', '', '', '', 'TTFT ms'])
for (const row of published.prefill) {
  const other = result.prefill.find(({ contextTokens }) => contextTokens === row.contextTokens)
  const rate = (of: typeof row) => (of.promptTokens / of.ttftMs) * 1000
  const place = `${row.contextTokens / 1024}K`
  print([
    place,
    '',
    '',
    ...compared('prefill tok/s', place, rate(row), other === undefined ? null : rate(other), 0),
    '',
    '',
    '',
    ...compared('prefill TTFT', place, row.ttftMs, other?.ttftMs ?? null, 0),
  ])
}
process.stdout.write(`\nstatus: ${statuses.same} cells alike, ${statuses.different} different\n`)
for (const [name, list] of deviations) {
  const sizes = list.map(({ percent }) => Math.abs(percent))
  const worst = list.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0]
  const signed = `${worst !== undefined && worst.percent > 0 ? '+' : ''}${worst?.percent.toFixed(1)}`
  process.stdout.write(
    `${name}: median deviation ${median(sizes)?.toFixed(1)} %, worst ${signed} % (${worst?.cell}), n = ${list.length}\n`,
  )
}
const alone = (deviations.get('TTFT ms') ?? []).filter(({ cell }) => cell.endsWith('× 1'))
process.stdout.write(
  `TTFT at C = 1: ${alone.map(({ cell, percent }) => `${cell.replace(' × 1', '')} ${percent.toFixed(0)} %`).join(', ')}\n`,
)

function compared(
  name: string,
  place: string,
  first: number | null,
  second: number | null,
  digits: number,
): string[] {
  if (first === null || second === null) return [shown(first, digits), shown(second, digits), '']
  const percent = (second / first - 1) * 100
  deviations.set(name, [...(deviations.get(name) ?? []), { cell: place, percent }])
  return [shown(first, digits), shown(second, digits), `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`]
}

function shown(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits)
}

function print(columns: readonly string[]): void {
  const widths = [8, 4, 16]
  process.stdout.write(`${columns.map((text, i) => text.padStart(widths[i] ?? 9)).join(' ')}\n`)
}

function read(path: string): MeasuredTable {
  return readMeasuredTable(JSON.parse(readFileSync(path, 'utf8')))
}

function cut(table: MeasuredTable, limit: number): MeasuredTable {
  const fits = ({ contextTokens }: { contextTokens: number }) => contextTokens <= limit
  return { ...table, prefill: table.prefill.filter(fits), cells: table.cells.filter(fits) }
}
