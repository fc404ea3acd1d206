import { type Fit, fitCell } from './capacity.ts'
import type { RunOptions } from './run-options.ts'
import type { ServerLimits } from './server-facts.ts'

/** A prefill row to be measured, and whether it fits. */
export type PlannedPrefill = { readonly contextTokens: number; readonly fit: Fit }
/** A cell to be measured, and whether it fits. */
export type PlannedCell = { readonly contextTokens: number; readonly concurrency: number; readonly fit: Fit }
/** The whole matrix, in the order in which it is measured. */
export type Plan = { readonly prefill: readonly PlannedPrefill[]; readonly cells: readonly PlannedCell[] }

const ladderStart = 8 * 1024
/** Where the ladder ends when the server does not tell its limit. */
const assumedLimit = 32 * 1024
/** Room for chat template, instruction and the error of the length estimate, tokens. */
const promptMargin = 1024

/**
 * The matrix in the order in which it is measured: contexts ascending, within one the concurrency ascending.
 * Large contexts come last; going column by column would keep the largest prompts in the KV cache.
 */
export function planMatrix(options: RunOptions, limits: ServerLimits): Plan {
  const contexts = ascending(options.contexts ?? decodeLadder(limits.contextTokens, options.maxOutputTokens))
  const prefillContexts = ascending(options.prefillContexts ?? prefillLadder(options, limits, contexts))
  const concurrency = ascending(options.concurrency)
  return {
    prefill:
      options.phases === 'decode'
        ? []
        : prefillContexts.map(contextTokens => ({
            contextTokens,
            fit: fitCell({ contextTokens, concurrency: 1, maxOutputTokens: 1 }, options, limits),
          })),
    cells:
      options.phases === 'prefill'
        ? []
        : contexts.flatMap(contextTokens =>
            concurrency.map(streams => ({
              contextTokens,
              concurrency: streams,
              fit: fitCell(
                { contextTokens, concurrency: streams, maxOutputTokens: options.maxOutputTokens },
                options,
                limits,
              ),
            })),
          ),
  }
}

/** Powers of two from 8K to the limit; what exceeds limit - output - 1024 is cut to it, so that prompt and output fit. */
export function decodeLadder(limit: number | null, maxOutputTokens: number): readonly number[] {
  const top = limit ?? assumedLimit
  const longest = top - maxOutputTokens - promptMargin
  const rungs = powersOfTwo(top).map(rung => Math.min(rung, longest))
  const usable = rungs.filter(rung => rung > 0)
  return usable.length > 0 ? usable : [Math.max(longest, 0)]
}

/** Contexts the user chose for decode serve for prefill too; the default ladder ends with the full limit. */
function prefillLadder(
  options: RunOptions,
  limits: ServerLimits,
  contexts: readonly number[],
): readonly number[] {
  const positive = contexts.filter(context => context > 0)
  return options.contexts !== null || limits.contextTokens === null
    ? positive
    : [...positive, limits.contextTokens]
}

function powersOfTwo(top: number): number[] {
  const rungs: number[] = []
  for (let rung = ladderStart; rung <= top; rung *= 2) rungs.push(rung)
  return rungs
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
