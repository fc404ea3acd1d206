import type { StreamFault } from '../faults.ts'

/** What a stream breaks off with, instead of the first output after that many tokens. */
export type Interruption = Extract<StreamFault, { readonly afterTokens: number }>

/** How one generation request is answered. */
export type StreamPlan = {
  readonly refused: boolean
  readonly usage: 'as-asked' | 'final-only' | 'none'
  readonly text: 'plain' | 'multibyte'
  readonly lineEnd: '\n' | '\r\n'
  readonly split: boolean
  /** How much later than computed the first output is sent. */
  readonly delayMs: number
  readonly interruption: Interruption | null
}

const faultless: StreamPlan = {
  refused: false,
  usage: 'as-asked',
  text: 'plain',
  lineEnd: '\n',
  split: false,
  delayMs: 0,
  interruption: null,
}

/** What the faults that hit a request make of it; of two that exclude each other, the last. */
export function planStream(faults: readonly StreamFault[]): StreamPlan {
  return faults.reduce(withFault, faultless)
}

function withFault(plan: StreamPlan, fault: StreamFault): StreamPlan {
  switch (fault.kind) {
    case 'refuse':
      return { ...plan, refused: true }
    case 'stream-error':
    case 'cut':
    case 'stall':
    case 'endless-line':
      return { ...plan, interruption: fault }
    case 'slow-start':
      return { ...plan, delayMs: fault.delayMs }
    case 'no-usage':
      return { ...plan, usage: 'none' }
    case 'final-usage-only':
      return { ...plan, usage: 'final-only' }
    case 'crlf':
      return { ...plan, lineEnd: '\r\n' }
    case 'split':
      return { ...plan, split: true }
    case 'multibyte':
      return { ...plan, text: 'multibyte' }
    default:
      return fault satisfies never
  }
}
