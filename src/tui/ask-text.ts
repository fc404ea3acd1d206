import type { Ask } from '../domain/events.ts'
import type { RunState } from '../domain/run-state.ts'
import { targetName } from './select-now.ts'

/** What the operator asked for, in words that follow «you asked to». */
export function describeAsk(state: RunState, ask: Ask): string {
  if (typeof ask === 'object')
    return `measure ${targetName(state, { target: { kind: 'cell', cell: ask.cell } })} anew`
  switch (ask) {
    case 'stop':
      return 'stop'
    case 'skip-cell':
      return 'skip this cell'
    case 'pause':
      return 'pause after this cell'
    case 'resume':
      return 'go on'
    default:
      return ask satisfies never
  }
}
