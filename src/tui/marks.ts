import type { Limit } from '../domain/capacity.ts'
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

/** The limit that keeps a cell from running, short enough for a cell and in words for the legend. */
export const limitWords: Readonly<Record<Limit['kind'], { readonly short: string; readonly long: string }>> =
  {
    'context-length': { short: 'ctx', long: 'context' },
    'max-running-requests': { short: 'req', long: 'requests' },
    'state-slots': { short: 'slot', long: 'state slots' },
    'kv-cache': { short: 'KV', long: 'KV cache' },
  }
