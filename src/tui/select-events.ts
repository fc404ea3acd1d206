import type { JobTarget, RunEvent } from '../domain/events.ts'
import { describeFailure } from '../domain/failure.ts'
import type { Plan } from '../domain/plan.ts'
import type { CellState, RunState } from '../domain/run-state.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount, milliseconds, perSecond } from '../format/units.ts'
import { marks } from './marks.ts'
import { describeReason } from './reason-text.ts'
import { targetName } from './select-now.ts'

export type EventLine = {
  /** Since the start of the run. */
  readonly seconds: number
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'bad'
}

/** What happened and is worth a line, oldest first. */
export function selectEvents(state: RunState): readonly EventLine[] {
  const started = state.run?.startedAt ?? 0
  let target: JobTarget | null = null
  return state.history.flatMap(event => {
    if (event.kind === 'job-started') target = event.target
    const line = describe(state, event, target)
    return line === null ? [] : [{ seconds: (event.at - started) / 1000, ...line }]
  })
}

type Told = Omit<EventLine, 'seconds'>

function describe(state: RunState, event: RunEvent, target: JobTarget | null): Told | null {
  switch (event.kind) {
    case 'server-connected': {
      const { engine, model } = event.server
      const name = [engine.name, engine.version ?? ''].join(' ').trim()
      return plain(`connected to ${cleanText(name)} serving ${cleanText(model.id)}`)
    }
    case 'matrix-planned':
      return plain(describePlan(event.plan))
    case 'drain-ended':
      return event.drained
        ? null
        : { text: 'the server does not become idle: measuring all the same', tone: 'warn' }
    case 'job-ended':
      if (target === null || event.outcome.kind === 'interrupted') return null
      return event.outcome.kind === 'failed'
        ? {
            text: `${targetName(state, { target })}: ${cleanText(describeFailure(event.outcome.failure))}`,
            tone: 'bad',
          }
        : ended(state, target)
    case 'asked':
      return plain(event.ask === 'stop' ? 'you asked to stop' : 'you asked to skip this cell')
    case 'run-ended':
      return plain(event.message === null ? `the run has ended: ${event.ending}` : cleanText(event.message))
    default:
      return null
  }
}

function describePlan({ prefill, cells }: Plan): string {
  const over = cells.filter(({ fit }) => fit.kind === 'over').length
  const misfits = over === 0 ? '' : `, no room for ${amount(over, 'cell')}`
  return `planned ${amount(prefill.length, 'prefill row')} and ${amount(cells.length - over, 'cell')}${misfits}`
}

function ended(state: RunState, target: JobTarget): Told | null {
  const name = targetName(state, { target })
  switch (target.kind) {
    case 'calibrate':
      return plain('prompt lengths are known')
    case 'prefill': {
      const row = state.prefill[target.row]
      const summary = row?.summary ?? null
      if (row === undefined || summary === null)
        return plain(`${name}: ${marks[row?.status ?? 'planned'].meaning}`)
      return {
        text: `${name}: ${perSecond(summary.tokensPerSecond)} tok/s, TTFT ${milliseconds(summary.ttftMs)}`,
        tone: row.status === 'valid' ? 'plain' : 'warn',
      }
    }
    case 'cell': {
      const cell = state.cells[target.cell]
      return cell === undefined ? null : cellEnded(name, cell)
    }
    case 'final-drain':
      return state.drainedAtEnd === false
        ? { text: 'the server still holds requests', tone: 'warn' }
        : plain('the server is idle again')
    default:
      return target satisfies never
  }
}

function cellEnded(name: string, { status, summary, reasons }: CellState): Told {
  const [reason] = reasons
  if (summary === null)
    return { text: `${name}: ${marks[status].meaning}`, tone: status === 'failed' ? 'bad' : 'plain' }
  const figures = `${name}: ${perSecond(summary.totalTokensPerSecond.mean)} tok/s, TTFT ${milliseconds(summary.ttftMs.headline)}`
  if (status === 'valid') return plain(figures)
  const why = reason === undefined ? marks[status].meaning : describeReason(reason)
  return { text: `${figures}; ${why}`, tone: status === 'requests-queued' ? 'warn' : 'bad' }
}

function plain(text: string): Told {
  return { text, tone: 'plain' }
}
