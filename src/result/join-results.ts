import { TokgridError } from '../domain/failure.ts'
import { byPlace, distinct } from './imported-result.ts'
import type { RunResult } from './schema.ts'

export type NamedResult = { readonly name: string; readonly result: RunResult }

/**
 * Imported runs of one model by one tool as one matrix: load generators write one file for each concurrency. Throws
 * TokgridError (usage) when they do not belong together or two of them are the same cell.
 */
export function joinResults([first, ...others]: readonly [NamedResult, ...NamedResult[]]): RunResult {
  if (others.length === 0) return first.result
  const all = [first, ...others]
  for (const { name, result } of all) {
    if (result.imported === null)
      throw new TokgridError('usage', `${name} is a result of tokgrid: it is not joined with others`)
    if (result.imported.from !== first.result.imported?.from)
      throw new TokgridError('usage', `${first.name} and ${name} come from different tools`)
    if (result.server.model.id !== first.result.server.model.id)
      throw new TokgridError('usage', `${first.name} and ${name} are about different models`)
  }
  const decode = all.flatMap(({ name, result }) => result.decode.map(cell => ({ name, cell })))
  const prefill = all.flatMap(({ name, result }) =>
    result.prefill.map(row => ({ name, cell: { ...row, concurrency: 1 } })),
  )
  for (const cells of [decode, prefill]) refuseTwice(cells)
  const { result } = first
  return {
    ...result,
    run: {
      ...result.run,
      options: {
        ...result.run.options,
        contexts: distinct(all.flatMap(one => one.result.run.options.contexts)),
        concurrency: distinct(all.flatMap(one => one.result.run.options.concurrency)),
      },
    },
    prefill: all.flatMap(one => one.result.prefill).sort((a, b) => a.contextTokens - b.contextTokens),
    decode: decode.map(({ cell }) => cell).sort(byPlace),
    imported: result.imported && {
      ...result.imported,
      aside: { files: all.map(one => ({ name: one.name, ...one.result.imported?.aside })) },
    },
  }
}

type Placed = {
  readonly name: string
  readonly cell: { readonly contextTokens: number; readonly concurrency: number }
}

function refuseTwice(cells: readonly Placed[]): void {
  const seen = new Map<string, string>()
  for (const { name, cell } of cells) {
    const place = `${cell.contextTokens} tokens × ${cell.concurrency}`
    const other = seen.get(place)
    if (other !== undefined)
      throw new TokgridError(
        'usage',
        `${other} and ${name} are both about ${place}`,
        'import them one by one',
      )
    seen.set(place, name)
  }
}
