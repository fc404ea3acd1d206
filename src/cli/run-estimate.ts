import { assumedPrefillRate, runProgress } from '../domain/progress.ts'
import type { CellState, RunState } from '../domain/run-state.ts'
import { table } from '../format/table.ts'
import { clock, contextName, count } from '../format/units.ts'
import { limitWords } from '../report/limit-text.ts'

const longRunSeconds = 30 * 60

/** Whether a run is to be confirmed before it takes the server for that long. */
export function isLongRun(state: RunState): boolean {
  return (runProgress(state, 0).remainingSeconds ?? 0) > longRunSeconds
}

/** The planned matrix as plain text: what fits, what does not and by which limit, and about how long it takes. */
export function describePlan(state: RunState): string {
  const contexts = [...new Set(state.cells.map(({ plan }) => plan.contextTokens))]
  const streams = [...new Set(state.cells.map(({ plan }) => plan.concurrency))]
  const rows = contexts.map(contextTokens => [
    contextName(contextTokens),
    ...state.cells.filter(({ plan }) => plan.contextTokens === contextTokens).map(cellWord),
  ])
  const prefill = state.prefill
    .filter(({ status }) => status === 'planned')
    .map(({ plan }) => contextName(plan.contextTokens))
  const { remainingSeconds } = runProgress(state, 0)
  const right = { align: 'right' } as const
  const lines = [
    ...(prefill.length === 0 ? [] : [`Prefill: ${prefill.join(' ')}`]),
    ...(rows.length === 0
      ? []
      : [
          'Decode; rows: context, columns: concurrency',
          ...table(
            [{ title: 'context', ...right }, ...streams.map(one => ({ title: `C=${one}`, ...right }))],
            rows,
          ),
        ]),
    ...overLines(state),
    `About ${clock(remainingSeconds)} (assuming ${count(assumedPrefillRate)} prompt tok/s until it is measured)`,
  ]
  return `${lines.join('\n')}\n`
}

function cellWord({ plan, status, summary }: CellState): string {
  if (summary !== null) return 'done'
  if (plan.fit.kind === 'fits') return 'ok'
  if (plan.fit.kind === 'tight') return 'tight'
  return status === 'over-capacity' ? limitWords[plan.fit.limits[0].kind].short : 'forced'
}

/** One line for each limit that keeps cells from being run, with its first cell's numbers. */
function overLines({ cells }: RunState): readonly string[] {
  const firsts = new Map<string, string>()
  for (const { plan } of cells) {
    if (plan.fit.kind !== 'over') continue
    const [{ kind, needed, available }] = plan.fit.limits
    const { short, long } = limitWords[kind]
    const size = `${contextName(plan.contextTokens)} × ${plan.concurrency}`
    if (!firsts.has(kind))
      firsts.set(
        kind,
        `${short}: over capacity by ${long}; ${size} needs ${count(needed)}, the server has ${count(available)}`,
      )
  }
  return [...firsts.values()]
}
