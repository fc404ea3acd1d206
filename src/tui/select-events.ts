import type { JobOutcome, RunEvent } from '../domain/events.ts'
import { describeFailure } from '../domain/failure.ts'
import type { Plan } from '../domain/plan.ts'
import type { CellState, EndedJob, PrefillState, RunState } from '../domain/run-state.ts'
import { describeTakenOver } from '../domain/taken-over.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount, milliseconds, perSecond } from '../format/units.ts'
import { describeReason } from '../report/reason-text.ts'
import { describeAsk } from './ask-text.ts'
import { marks } from './marks.ts'
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
  const jobs = state.history.filter(({ kind }) => kind === 'job-ended').length
  const ended = state.endedJobs.slice(Math.max(0, state.endedJobs.length - jobs)).values()
  const lines = state.history.flatMap(event => {
    const line =
      event.kind === 'job-ended'
        ? describeEnd(state, event.outcome, ended.next().value ?? null)
        : describe(state, event)
    return line === null ? [] : [{ seconds: (event.at - started) / 1000, ...line }]
  })
  return withRestart(lines, state.serverRestartedAt, started)
}

/** The last restart of the server: seen in its counters, it is no event of the run's own. */
function withRestart(
  lines: readonly EventLine[],
  restartedAt: number | null,
  started: number,
): readonly EventLine[] {
  if (restartedAt === null) return lines
  const seconds = (restartedAt - started) / 1000
  const text = "the server's counters fell: it was started anew"
  const before = lines.filter(line => line.seconds <= seconds)
  return [...before, { seconds, text, tone: 'bad' }, ...lines.slice(before.length)]
}

type Told = Omit<EventLine, 'seconds'>

function describe(state: RunState, event: RunEvent): Told | null {
  switch (event.kind) {
    case 'server-connected': {
      const { engine, model } = event.server
      const name = [engine.name, engine.version ?? ''].join(' ').trim()
      return plain(`connected to ${cleanText(name)} serving ${cleanText(model.id)}`)
    }
    case 'matrix-planned':
      return plain(describePlan(event.plan))
    case 'results-taken-over':
      return plain(describeTakenOver(event.taken))
    case 'drain-ended':
      return event.drained
        ? null
        : { text: 'the server does not become idle: measuring all the same', tone: 'warn' }
    case 'asked':
      return plain(`you asked to ${describeAsk(state, event.ask)}`)
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

function describeEnd(state: RunState, outcome: JobOutcome, job: EndedJob | null): Told | null {
  if (job === null || outcome.kind === 'interrupted' || outcome.kind === 'given-up') return null
  const name = targetName(state, job)
  if (outcome.kind === 'failed')
    return { text: `${name}: ${cleanText(describeFailure(outcome.failure))}`, tone: 'bad' }
  if (job.result !== null)
    return 'passes' in job.result ? cellEnded(name, job.result) : prefillEnded(name, job.result)
  if (job.target.kind === 'calibrate') return plain('prompt lengths are known')
  return state.drainedAtEnd === false
    ? { text: 'the server still holds requests', tone: 'warn' }
    : plain('the server is idle again')
}

function prefillEnded(name: string, { status, summary }: PrefillState): Told {
  if (summary === null) return plain(`${name}: ${marks[status].meaning}`)
  return {
    text: `${name}: ${perSecond(summary.tokensPerSecond)} tok/s, TTFT ${milliseconds(summary.ttftMs)}`,
    tone: status === 'valid' ? 'plain' : 'warn',
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
