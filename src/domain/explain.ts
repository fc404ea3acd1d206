import { queueFindings, roomKnobs } from './explain-queue.ts'
import { stepFindings } from './explain-steps.ts'
import { type Finding, finding } from './finding.ts'
import type { CellState, RunState } from './run-state.ts'
import type { ServerFacts } from './server-facts.ts'
import type { Reason } from './verdict.ts'

/**
 * What limits a cell, the most weighty first: what makes its figures not the server's; what keeps requests waiting;
 * what slows the steps; what a step takes and yields. Says only what was measured or told, and marks what is concluded from it.
 */
export function explainCell({ cells, server }: RunState, index: number): readonly Finding[] {
  const cell = cells[index]
  if (cell === undefined || server === null) return []
  const { plan, summary, status } = cell
  if (status === 'over-capacity' && plan.fit.kind === 'over')
    return plan.fit.limits.map(limit =>
      finding(server, { kind: 'no-room', limit }, 'measured', roomKnobs[limit.kind]),
    )
  if (summary === null)
    return [finding(server, { kind: status === 'running' ? 'being-measured' : 'not-measured' }, 'measured')]
  return [
    ...notTheServer(cell, server),
    ...queueFindings(cell, summary, server),
    ...stepFindings(cell, summary, server, cells),
    ...noSignals(server),
  ]
}

const othersKinds: readonly Reason['kind'][] = ['client-limited', 'client-busy', 'foreign-load']

function notTheServer({ reasons }: CellState, server: ServerFacts): readonly Finding[] {
  return reasons
    .filter(({ kind }) => othersKinds.includes(kind))
    .map(reason => finding(server, { kind: 'not-the-server', reason }, 'measured'))
}

function noSignals(server: ServerFacts): readonly Finding[] {
  return server.features.metrics || server.features.loads
    ? []
    : [finding(server, { kind: 'no-signals' }, 'measured', ['metrics'])]
}
