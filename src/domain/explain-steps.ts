import type { CellSummary } from './cell-summary.ts'
import { type Finding, finding } from './finding.ts'
import { throttledBy } from './hardware-figures.ts'
import { numberSetting } from './launch-flags.ts'
import type { CellState } from './run-state.ts'
import { comparableTotal, scalingEfficiency } from './scaling.ts'
import type { ServerFacts } from './server-facts.ts'

const stallsMatter = 0.05

/** What slows the steps, how long one takes against one stream alone, and what it yields. */
export function stepFindings(
  cell: CellState,
  summary: CellSummary,
  server: ServerFacts,
  cells: readonly CellState[],
): readonly Finding[] {
  return [
    ...slowSteps(cell, summary, server),
    ...pace(cell, summary, server, cells),
    ...yieldOfStep(summary, server),
  ]
}

function slowSteps({ plan }: CellState, summary: CellSummary, server: ServerFacts): readonly Finding[] {
  const { hardware, stallFraction } = summary
  const throttled = hardware === null ? [] : throttledBy(hardware)
  const batch = (summary.server.running.mean ?? plan.concurrency) / server.limits.dataParallelRanks
  const largest = numberSetting(server, 'cuda_graph_max_bs')
  const isGraphOff = [
    server.launch.settings.disable_cuda_graph,
    server.launch.settings.enforce_eager,
  ].includes(true)
  return [
    ...throttled.map(({ reason, share }) => finding(server, { kind: 'throttle', reason, share }, 'measured')),
    ...(stallFraction !== null && stallFraction >= stallsMatter
      ? [
          finding(server, { kind: 'stalls', share: stallFraction }, 'inferred', [
            'prefill-chunk',
            'mixed-chunk',
          ]),
        ]
      : []),
    ...(isGraphOff
      ? [finding(server, { kind: 'graph-off' }, 'inferred', ['graph-off'])]
      : largest !== null && batch > largest
        ? [finding(server, { kind: 'graph-batch', running: batch, largest }, 'inferred', ['graph-batch'])]
        : []),
  ]
}

/** Of a speculative server: tokens of a step against as many as one could bring. */
function yieldOfStep({ server: { acceptLength } }: CellSummary, server: ServerFacts): readonly Finding[] {
  const most = server.limits.draftTokens
  return most === 0 || acceptLength === null
    ? []
    : [
        finding(server, { kind: 'acceptance', accepted: acceptLength, most }, 'measured', [
          'draft-tokens',
          'draft-steps',
        ]),
      ]
}

/** The step itself, against one stream alone. Of a cell whose requests wait, only those that ran share a step. */
function pace(
  cell: CellState,
  { stepMs, server: { running } }: CellSummary,
  server: ServerFacts,
  cells: readonly CellState[],
): readonly Finding[] {
  if (stepMs === null) return []
  const { contextTokens, concurrency } = cell.plan
  if (concurrency === 1) return [finding(server, { kind: 'one-stream', stepMs }, 'inferred')]
  const alone = cells.find(({ plan }) => plan.contextTokens === contextTokens && plan.concurrency === 1)
  const aloneMs =
    alone === undefined || comparableTotal(alone) === null ? null : (alone.summary?.stepMs ?? null)
  const efficiency = scalingEfficiency(cell, cells)
  if (aloneMs === null || aloneMs === 0 || efficiency === null) return []
  const streams = Math.min(concurrency, running.mean ?? concurrency)
  const scaling = (efficiency * concurrency) / streams
  return [finding(server, { kind: 'steps', stepMs, aloneMs, streams, scaling }, 'inferred')]
}
