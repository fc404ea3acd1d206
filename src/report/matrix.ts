import type { ResultCell } from '../result/schema.ts'

/** The decode cells as a table: contexts down, concurrency across; `null` where the run planned none. */
export type Matrix = {
  readonly concurrency: readonly number[]
  readonly rows: readonly { readonly contextTokens: number; readonly cells: readonly (ResultCell | null)[] }[]
}

export function matrixOf(decode: readonly ResultCell[]): Matrix {
  const concurrency = ascending(decode.map(cell => cell.concurrency))
  return {
    concurrency,
    rows: ascending(decode.map(cell => cell.contextTokens)).map(contextTokens => ({
      contextTokens,
      cells: concurrency.map(
        streams =>
          decode.find(cell => cell.contextTokens === contextTokens && cell.concurrency === streams) ?? null,
      ),
    })),
  }
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
