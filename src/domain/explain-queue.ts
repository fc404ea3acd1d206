import type { Fit, Limit } from './capacity.ts'
import type { CellSummary } from './cell-summary.ts'
import { type Finding, finding } from './finding.ts'
import type { Knob } from './launch-flags.ts'
import type { CellState } from './run-state.ts'
import type { ServerFacts } from './server-facts.ts'

/** Requests may end and begin between two looks. */
const atLimit = 0.95
const kvFull = 0.9
const slotsFull = 0.95
/** SGLang sets several slots aside for each request, so that the pool is exhausted before it is in use. */
const slotsReserved = 0.7

const kvKnobs: readonly Knob[] = ['kv-memory', 'kv-tokens', 'kv-dtype']

/** What of the launch would give more room, by the limit that a cell does not fit. */
export const roomKnobs: Readonly<Record<Limit['kind'], readonly Knob[]>> = {
  'context-length': ['context'],
  'max-running-requests': ['running-requests'],
  'state-slots': ['state-slots'],
  'kv-cache': kvKnobs,
}

/** Which pool or limit keeps requests in the queue. */
export function queueFindings(
  { plan, reasons }: CellState,
  summary: CellSummary,
  server: ServerFacts,
): readonly Finding[] {
  const { running, kvCacheUsage, stateSlotUsage, retractions } = summary.server
  const isQueued = reasons.some(({ kind }) => kind === 'requests-queued')
  const { maxRunningRequests, dataParallelRanks } = server.limits
  const limit = maxRunningRequests === null ? null : maxRunningRequests * dataParallelRanks
  const found: Finding[] = []
  if (isQueued && limit !== null && running.max !== null && running.max >= atLimit * limit)
    found.push(
      finding(server, { kind: 'request-limit', running: running.max, limit }, 'measured', [
        'running-requests',
      ]),
    )
  const isKvFull = isQueued && kvCacheUsage.max !== null && kvCacheUsage.max >= kvFull
  if (isKvFull || (retractions ?? 0) > 0)
    found.push(
      finding(server, { kind: 'kv-full', usage: kvCacheUsage.max, retractions }, 'measured', kvKnobs),
    )
  const usage = stateSlotUsage.max
  if (isQueued && usage !== null && usage >= (found.length === 0 ? slotsReserved : slotsFull))
    found.push(
      finding(server, { kind: 'state-slots', usage }, usage >= slotsFull ? 'measured' : 'inferred', [
        'state-slots',
      ]),
    )
  if (!isQueued || found.length > 0) return found
  const misfits = limitsOf(plan.fit)
  return misfits.length > 0
    ? misfits.map(limit => finding(server, { kind: 'no-room', limit }, 'inferred', roomKnobs[limit.kind]))
    : [finding(server, { kind: 'queue', running: running.max }, 'measured', [])]
}

/** What was known to be short before the cell was run all the same. */
function limitsOf(fit: Fit): readonly Limit[] {
  switch (fit.kind) {
    case 'fits':
      return []
    case 'tight':
      return [fit.limit]
    case 'over':
      return fit.limits
    default:
      return fit satisfies never
  }
}
