import type { Limit } from '../domain/capacity.ts'
import type { Progress } from '../domain/run-state.ts'
import { limitWords } from '../report/limit-text.ts'
import { type Mark, marks, type Sign, signs } from './marks.ts'
import type { GridView } from './select-grid.ts'
import { type Line, lineWidth, span } from './span.ts'

const toldSigns: readonly Sign[] = ['redo', 'best', 'knee', 'slo']
const toldStatuses: readonly Progress[] = [
  'running',
  'requests-queued',
  'invalid',
  'failed',
  'skipped',
  'not-run',
]
/** What the marks in sight mean, as far as there is room; the words for limits give way first. Help lists them all. */
export function legend(view: GridView, width: number): Line {
  const inWords = joined(legendItems(view, true), Number.POSITIVE_INFINITY)
  return lineWidth(inWords) <= width ? inWords : joined(legendItems(view, false), width)
}

function joined(items: readonly Line[], width: number): Line {
  let line: Line = []
  for (const item of items) {
    const next = line.length === 0 ? item : [...line, span('  '), ...item]
    if (lineWidth(next) <= width) line = next
  }
  return line
}

function legendItems({ rows }: GridView, inWords: boolean): readonly Line[] {
  const cells = rows.flatMap(row => row.cells).filter(view => view !== null)
  const shown = [...cells, ...rows.map(row => row.prefill).filter(view => view !== null)]
  const statuses = new Set(shown.map(({ status }) => status))
  const given = new Set(cells.flatMap(cell => cell.signs))
  const limits = new Set(
    shown.flatMap(({ status, limit }) => (status === 'over-capacity' && limit !== null ? [limit] : [])),
  )
  return [
    ...toldStatuses.filter(status => statuses.has(status)).map(status => item(marks[status])),
    ...(limits.size === 0 ? [] : [limitsItem([...limits], inWords)]),
    ...toldSigns.filter(sign => given.has(sign)).map(sign => item(signs[sign])),
  ]
}

function limitsItem(limits: readonly Limit['kind'][], inWords: boolean): Line {
  const words = limits.flatMap((limit, index): Line => {
    const { short, long } = limitWords[limit]
    const gap = inWords && index > 0 ? '  ' : ' '
    return [
      span(`${gap}${short}${marks['over-capacity'].symbol}`),
      ...(inWords ? [span(` ${long}`, 'dim')] : []),
    ]
  })
  return [span('no room:', 'dim'), ...words]
}

function item({ symbol, style, meaning }: Mark): Line {
  return [span(symbol, style), span(` ${meaning}`, 'dim')]
}
