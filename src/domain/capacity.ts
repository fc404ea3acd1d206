import { fullLimitPromptTokens } from './prompt-plan.ts'
import type { RunOptions } from './run-options.ts'
import type { ServerLimits } from './server-facts.ts'

/** Something that a cell needs more of than the server has; requests or tokens by its kind. */
export type Limit = {
  readonly kind: 'context-length' | 'max-running-requests' | 'state-slots' | 'kv-cache'
  readonly needed: number
  readonly available: number
}

/** `tight`: the full need exceeds the KV cache, the expected mean does not; such a cell is run and marked. */
export type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'tight'; readonly limit: Limit }
  | { readonly kind: 'over'; readonly limits: readonly [Limit, ...Limit[]] }

/** What decides how much a cell needs, tokens; a prefill row is one stream with one output token. */
export type CellSize = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly maxOutputTokens: number
}

/** The mean need may use at most 1 / 1.05 of the cache before a cell counts as impossible. */
const tightHeadroom = 1.05

/** Whether a cell fits the server, with every limit that it violates in the order in which the server would hit them. */
export function fitCell(
  cell: CellSize,
  options: Pick<RunOptions, 'prompts' | 'kvBudgetTokens'>,
  limits: ServerLimits,
): Fit {
  const violated: Limit[] = []
  const size = realSize(cell, limits.contextTokens)
  const sequence = size.contextTokens + size.maxOutputTokens
  if (limits.contextTokens !== null && sequence > limits.contextTokens)
    violated.push({ kind: 'context-length', needed: sequence, available: limits.contextTokens })

  const ranks = limits.dataParallelRanks
  if (limits.maxRunningRequests !== null && cell.concurrency > limits.maxRunningRequests * ranks)
    violated.push({
      kind: 'max-running-requests',
      needed: cell.concurrency,
      available: limits.maxRunningRequests * ranks,
    })

  const kv = kvLimit(size, options, limits)
  if (kv?.kind === 'over') violated.push(kv.limit)
  const [first, ...rest] = violated
  if (first !== undefined) return { kind: 'over', limits: [first, ...rest] }
  return kv?.kind === 'tight' ? { kind: 'tight', limit: kv.limit } : { kind: 'fits' }
}

/** The prefill row at the full limit sends a prompt just short of it. */
function realSize(cell: CellSize, limit: number | null): CellSize {
  return cell.maxOutputTokens === 1 && cell.contextTokens === limit
    ? { ...cell, contextTokens: fullLimitPromptTokens(limit, 'learned') }
    : cell
}

function kvLimit(
  cell: CellSize,
  options: Pick<RunOptions, 'prompts' | 'kvBudgetTokens'>,
  limits: ServerLimits,
): { kind: 'tight' | 'over'; limit: Limit } | null {
  const pool = options.kvBudgetTokens ?? limits.kvCacheTokens
  if (pool === null) return null
  const page = limits.pageSize ?? 1
  // Streams are spread over the ranks; the fullest rank has to hold its share.
  const streams = Math.ceil(cell.concurrency / limits.dataParallelRanks)
  const output = cell.maxOutputTokens
  const shared = options.prompts === 'shared'
  const full = shared
    ? ceilTo(page, cell.contextTokens) + streams * ceilTo(page, output + limits.draftTokens)
    : streams * (ceilTo(page, cell.contextTokens + output + limits.draftTokens) + page)
  const mean = shared
    ? cell.contextTokens + streams * (output / 2)
    : streams * (cell.contextTokens + output / 2)
  if (full <= pool) return null
  const limit: Limit = { kind: 'kv-cache', needed: full, available: pool }
  return { kind: pool >= tightHeadroom * mean && streams > 1 ? 'tight' : 'over', limit }
}

function ceilTo(page: number, tokens: number): number {
  return Math.ceil(tokens / page) * page
}
