import type { Limit } from '../domain/capacity.ts'
import { count } from '../format/units.ts'

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
