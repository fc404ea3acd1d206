import type { JobTarget, RunEvent } from '../domain/events.ts'
import type { CellState, PrefillState, RunState } from '../domain/run-state.ts'
import { describeTakenOver } from '../domain/taken-over.ts'
import { cleanText } from '../format/clean-text.ts'
import { contextName, milliseconds, perSecond } from '../format/units.ts'
import { describeReason } from '../report/reason-text.ts'
import { describeAsk } from '../tui/ask-text.ts'

/**
 * A reader of the run that writes one plain line for each thing worth telling: wall-clock time, what, figures. For
 * logs and for terminals without a screen. A quiet one tells only what is wrong.
 */
export function headlessReader(writeLine: (line: string) => void, wallTime: () => string, quiet: boolean) {
  let target: JobTarget | null = null
  return (event: RunEvent, state: RunState): void => {
    if (event.kind === 'job-started') target = event.target
    if (quiet && !isTrouble(event, target, state)) return
    const line =
      event.kind === 'job-ended' && target !== null ? jobLine(target, state) : factLine(event, state)
    if (line !== null) writeLine(`${wallTime().slice(11, 19)} ${cleanText(line)}`)
  }
}

function isTrouble(event: RunEvent, target: JobTarget | null, state: RunState): boolean {
  switch (event.kind) {
    case 'drain-ended':
      return !event.drained
    case 'run-ended':
      return event.ending !== 'completed'
    case 'job-ended': {
      if (target?.kind === 'final-drain') return true
      const measured =
        target?.kind === 'prefill'
          ? state.prefill[target.row]
          : target?.kind === 'cell'
            ? state.cells[target.cell]
            : undefined
      return measured?.status === 'invalid' || measured?.status === 'failed'
    }
    default:
      return false
  }
}

function jobLine(target: JobTarget, state: RunState): string | null {
  switch (target.kind) {
    case 'prefill': {
      const row = state.prefill[target.row]
      return row === undefined ? null : prefillLine(row)
    }
    case 'cell': {
      const cell = state.cells[target.cell]
      return cell === undefined ? null : cellLine(cell)
    }
    case 'final-drain':
      return state.drainedAtEnd === false
        ? 'the server was not seen idle again: requests may still be running on it'
        : null
    case 'calibrate':
      return null
    default:
      return target satisfies never
  }
}

function factLine(event: RunEvent, state: RunState): string | null {
  switch (event.kind) {
    case 'server-connected': {
      const { engine, model, url } = event.server
      return `${url}: ${model.id} on ${engine.name} ${engine.version ?? '(version unknown)'}`
    }
    case 'matrix-planned':
      return planned(state)
    case 'results-taken-over':
      return describeTakenOver(event.taken)
    case 'drain-ended':
      return event.drained ? null : 'the server is busy with other requests; measuring all the same'
    case 'asked':
      return event.ask === 'stop'
        ? 'stopping; what was measured is kept'
        : `asked to ${describeAsk(state, event.ask)}`
    case 'run-ended':
      return `run ${event.ending}${event.message === null ? '' : `: ${event.message}`}`
    default:
      return null
  }
}

function planned({ prefill, cells }: RunState): string {
  const open = cells.filter(({ status }) => status === 'planned').length
  const rows = prefill.filter(({ status }) => status === 'planned').length
  return `${rows} prefill rows, ${open} cells to measure, ${cells.length - open} over capacity`
}

function prefillLine({ plan, status, summary, reasons }: PrefillState): string {
  const name = `prefill ${contextName(plan.contextTokens)}`
  if (summary === null) return `${name}: ${status}${because(reasons)}`
  const figures = `${perSecond(summary.tokensPerSecond)} tok/s, TTFT ${milliseconds(summary.ttftMs)}`
  return `${name}: ${figures}, ${status}${because(reasons)}`
}

function cellLine({ plan, status, summary, reasons }: CellState): string {
  const name = `cell ${contextName(plan.contextTokens)} × ${plan.concurrency}`
  if (summary === null) return `${name}: ${status}${because(reasons)}`
  const { totalTokensPerSecond, ttftMs, itlMs } = summary
  const figures = [
    `${perSecond(totalTokensPerSecond.mean)} tok/s`,
    `TTFT ${milliseconds(ttftMs.headline)}`,
    `ITL ${milliseconds(itlMs.p50)}`,
  ]
  return `${name}: ${figures.join(', ')}, ${status}${because(reasons)}`
}

function because(reasons: CellState['reasons']): string {
  return reasons.length === 0 ? '' : ` (${reasons.map(describeReason).join('; ')})`
}
