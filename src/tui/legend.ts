import type { Progress } from '../domain/run-state.ts'
import { limitWords, marks } from './marks.ts'
import type { GridView } from './select-grid.ts'
import { type Line, lineWidth, span } from './span.ts'

const told: readonly Progress[] = ['running', 'requests-queued', 'invalid', 'failed', 'skipped', 'not-run']
/** Columns that the heading itself needs. */
const headingRoom = 24

/** What the marks in sight mean, as far as there is room; help lists them all. */
export function legend(view: GridView, width: number): Line {
  const items = legendItems(view)
  let line: Line = []
  for (const item of items) {
    const next = line.length === 0 ? item : [...line, span('  '), ...item]
    if (lineWidth(next) > width - headingRoom) break
    line = next
  }
  return line
}

function legendItems({ rows }: GridView): readonly Line[] {
  const shown = rows.flatMap(({ prefill, cells }) => [prefill, ...cells]).filter(view => view !== null)
  const statuses = new Set(shown.map(({ status }) => status))
  const limits = new Set(
    shown.flatMap(({ status, limit }) => (status === 'over-capacity' && limit !== null ? [limit] : [])),
  )
  return [
    ...told
      .filter(status => statuses.has(status))
      .map(status => [
        span(marks[status].symbol, marks[status].style),
        span(` ${marks[status].meaning}`, 'dim'),
      ]),
    ...[...limits].map((limit, index) => [
      span(`${index === 0 ? 'no room: ' : ''}`, 'dim'),
      span(`${limitWords[limit].short}×`),
      span(` ${limitWords[limit].long}`, 'dim'),
    ]),
  ]
}
