import type { Progress } from '../domain/run-state.ts'
import type { CellStatus } from '../domain/verdict.ts'
import { statusTexts } from '../report/status-text.ts'
import type { Style } from './span.ts'

export type Mark = { readonly symbol: string; readonly style: Style; readonly meaning: string }

/** How each status looks; the symbol alone tells it, colour only repeats it. */
export const marks: Readonly<Record<Progress, Mark>> = {
  planned: { symbol: '·', style: 'dim', meaning: 'planned' },
  running: { symbol: '►', style: 'live', meaning: 'running' },
  valid: { ...told('valid', 'plain'), symbol: ' ' },
  'requests-queued': told('requests-queued', 'warn'),
  invalid: told('invalid', 'bad'),
  failed: told('failed', 'bad'),
  skipped: told('skipped', 'dim'),
  'not-run': told('not-run', 'dim'),
  'over-capacity': told('over-capacity', 'dim'),
}

/** As in reports. */
function told(status: CellStatus, style: Style): Mark {
  const { symbol, name } = statusTexts[status]
  return { symbol, style, meaning: name }
}

/** What is worth a sign beside the status of a cell. */
export type Sign = 'redo' | 'best' | 'knee' | 'slo'

export const signs: Readonly<Record<Sign, Mark & { readonly help: string }>> = {
  redo: { symbol: '↻', style: 'live', meaning: 'redo', help: 'to be measured anew, as you asked' },
  best: { symbol: '▲', style: 'good', meaning: 'best', help: 'the most tok/s of the matrix' },
  knee: {
    symbol: '◆',
    style: 'series',
    meaning: 'knee',
    help: 'the knee of a row: from here on doubling the streams gains less than 10 % tok/s',
  },
  slo: {
    symbol: '✓',
    style: 'good',
    meaning: 'holds --slo',
    help: 'the most streams of a row that hold what --slo asks for',
  },
}
