import { TokgridError } from '../domain/failure.ts'
import { byPlace, distinct } from './imported-result.ts'
import type { RunResult } from './schema.ts'

export type NamedResult = { readonly name: string; readonly result: RunResult }

/**
 * Imported runs of one model by one tool as one matrix: load generators write one file for each concurrency. Throws
 * TokgridError (usage) when they do not belong together or a cell is there twice.
 */
export function joinResults([first, ...others]: readonly [NamedResult, ...NamedResult[]]): RunResult {
  const all = [first, ...others]
  refuseTwice(all, ({ decode }) => decode)
  refuseTwice(all, ({ prefill }) => prefill.map(row => ({ ...row, concurrency: 1 })))
  if (others.length === 0) return first.result
  for (const { name, result } of all) {
    if (result.imported === null)
      throw new TokgridError('usage', `${name} is a result of tokgrid: it is not joined with others`)
    if (result.imported.from !== first.result.imported?.from)
      throw new TokgridError('usage', `${first.name} and ${name} come from different tools`)
    if (result.server.model.id !== first.result.server.model.id)
      throw new TokgridError('usage', `${first.name} and ${name} are about different models`)
  }
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
    decode: all.flatMap(one => one.result.decode).sort(byPlace),
    imported: result.imported && {
      ...result.imported,
      aside: { files: all.map(one => ({ name: one.name, ...one.result.imported?.aside })) },
    },
  }
}

type Place = { readonly contextTokens: number; readonly concurrency: number }

function refuseTwice(all: readonly NamedResult[], placesOf: (result: RunResult) => readonly Place[]): void {
  const seen = new Map<string, string>()
  for (const { name, result } of all)
    for (const { contextTokens, concurrency } of placesOf(result)) {
      const place = `${contextTokens} tokens × ${concurrency}`
      const other = seen.get(place)
      if (other === name) throw new TokgridError('usage', `${name} has ${place} twice`)
      if (other !== undefined)
        throw new TokgridError(
          'usage',
          `${other} and ${name} are both about ${place}`,
          'import them one by one',
        )
      seen.set(place, name)
    }
}
