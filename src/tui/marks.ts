import type { Progress } from '../domain/run-state.ts'
import type { Style } from './span.ts'

export type Mark = { readonly symbol: string; readonly style: Style; readonly meaning: string }

/** How each status looks; the symbol alone tells it, colour only repeats it. */
export const marks: Readonly<Record<Progress, Mark>> = {
  planned: { symbol: '·', style: 'dim', meaning: 'planned' },
  running: { symbol: '►', style: 'live', meaning: 'running' },
  valid: { symbol: ' ', style: 'plain', meaning: 'valid' },
  'requests-queued': { symbol: '≈', style: 'warn', meaning: 'requests queued' },
  invalid: { symbol: '!', style: 'bad', meaning: 'invalid' },
  failed: { symbol: '✗', style: 'bad', meaning: 'failed' },
  skipped: { symbol: '»', style: 'dim', meaning: 'skipped' },
  'not-run': { symbol: '–', style: 'dim', meaning: 'not run' },
  'over-capacity': { symbol: '×', style: 'dim', meaning: 'does not fit' },
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
