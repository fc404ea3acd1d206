import type { CellStatus } from '../domain/verdict.ts'

export type StatusText = {
  /** Tells the status without colour; empty for the one that needs no mark. */
  readonly symbol: string
  readonly name: string
  /** One sentence for the legend. */
  readonly meaning: string
}

/** Each status in words, in the order of the legend. */
export const statusTexts: Readonly<Record<CellStatus, StatusText>> = {
  valid: { symbol: '', name: 'valid', meaning: 'measured, and may be compared' },
  'requests-queued': {
    symbol: '≈',
    name: 'requests queued',
    meaning: 'the server could not run all requests at once, so some waited in its queue',
  },
  invalid: {
    symbol: '!',
    name: 'invalid',
    meaning: 'measured, but must not be compared: the reasons say why',
  },
  failed: { symbol: '✗', name: 'failed', meaning: 'no figures: the reasons say why' },
  'over-capacity': {
    symbol: '×',
    name: 'over capacity',
    meaning: 'not run: this many requests at this context exceed a limit of the server',
  },
  skipped: { symbol: '»', name: 'skipped', meaning: 'not run: the operator passed over it' },
  'not-run': { symbol: '–', name: 'not run', meaning: 'the run ended before it was measured' },
}
