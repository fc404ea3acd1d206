import type { Limit } from '../domain/capacity.ts'
import { count } from '../format/units.ts'

/** The limit that keeps a cell from running, short enough for a cell and in words for the legend. */
export const limitWords: Readonly<Record<Limit['kind'], { readonly short: string; readonly long: string }>> =
  {
    'context-length': { short: 'ctx', long: 'context' },
    'max-running-requests': { short: 'req', long: 'requests' },
    'state-slots': { short: 'slot', long: 'state slots' },
    'kv-cache': { short: 'KV', long: 'KV cache' },
  }

/** Why a cell cannot fit, as one plain sentence that cells with the same limit share. */
export function describeLimit({ kind, available }: Limit): string {
  switch (kind) {
    case 'context-length':
      return `prompt and output exceed the server's context of ${count(available)} tokens`
    case 'max-running-requests':
      return `the server runs at most ${count(available)} requests at once`
    case 'state-slots':
      return `the server has only ${count(available)} state slots`
    case 'kv-cache':
      return `the KV cache holds only ${count(available)} tokens`
    default:
      return kind satisfies never
  }
}
