import type { RunEvent, RunFact } from '../../src/domain/events.ts'
import type { RequestFailure } from '../../src/domain/failure.ts'
import type { LoadTick, Window } from '../../src/domain/load-record.ts'
import { nextStep } from '../../src/domain/next-step.ts'
import { type Plan, planMatrix } from '../../src/domain/plan.ts'
import { reduceRun } from '../../src/domain/reduce-run.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import { type CellState, initialState, type RunState } from '../../src/domain/run-state.ts'
import type { ServerFacts } from '../../src/domain/server-facts.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import type { Step } from '../../src/domain/step.ts'
import { options, sample, server, share, tick, trace } from './build.ts'

/**
 * A run at a desk: the test tells what happens and moves the time, the policy says what is to be done, and that is
 * written down as the runner would.
 */
export class Desk {
  state: RunState = initialState
  now = 1000
  readonly events: RunEvent[] = []
  readonly plan: Plan
  private sent: Extract<Step, { do: 'send' }>['requests'] = []

  constructor(change: Partial<RunOptions> = {}, facts: ServerFacts = server({ loads: true, metrics: true })) {
    const all = { ...options, ...change }
    this.plan = planMatrix(all, facts.limits)
    this.tell({
      kind: 'run-started',
      runId: 'desk',
      wallTime: '2026-01-01T00:00:00Z',
      command: 'tokgrid run',
      options: all,
      promptSet: { version: '1', hash: '0', nonce: '0' },
    })
    this.tell({ kind: 'server-connected', server: facts })
    this.tell({ kind: 'matrix-planned', plan: this.plan })
  }

  tell(fact: RunFact): this {
    const event = { at: this.now, ...fact }
    this.events.push(event)
    this.state = reduceRun(this.state, event)
    return this
  }

  wait(ms: number): this {
    this.now += ms
    return this
  }

  step(): Step {
    return nextStep(this.state, this.now)
  }

  /** Does what the policy wants until it wants to wait; returns what that was, in short words. */
  obey(): string[] {
    const done: string[] = []
    while (this.state.ending === null) {
      const step = this.step()
      if (step.do === 'wait') break
      done.push(shortly(step))
      if (step.do === 'send') this.sent = step.requests
      for (const fact of factsOf(step)) this.tell(fact)
      if (done.length > 50) throw new Error(`the policy runs in circles: ${done.join(', ')}`)
    }
    return done
  }

  /** The requests that the policy sends now. */
  sending(): Extract<Step, { do: 'send' }>['requests'] {
    const step = this.step()
    if (step.do !== 'send') throw new Error(`not sending, but ${shortly(step)}`)
    return step.requests
  }

  launching(): Extract<Step, { do: 'launch' }> {
    const step = this.step()
    if (step.do !== 'launch') throw new Error(`not launching, but ${shortly(step)}`)
    return step
  }

  look(reading: Partial<ServerSample>): this {
    return this.tell({ kind: 'server-sampled', sample: sample({ at: this.now, ...reading }) })
  }

  /** The server is seen idle; what the policy does then. */
  idle(): string[] {
    return this.look({ running: 0, queued: 0 }).obey()
  }

  /** The single requests have ended so, in the order in which they were sent; what the policy does then. */
  ended(...traces: readonly RequestTrace[]): string[] {
    const answers = traces.map((one, index) => ({
      ...one,
      stream: this.sent[index]?.prompt.stream ?? one.stream,
    }))
    return this.tell({ kind: 'requests-ended', traces: answers }).obey()
  }

  ticks(change: Partial<LoadTick>): this {
    return this.tell({ kind: 'load-ticked', tick: tick({ at: this.now, ...change }) })
  }

  /** All streams have their first token and the server runs them. */
  latch(): string[] {
    const concurrency = this.cell().plan.concurrency
    return this.ticks({ started: concurrency, active: concurrency })
      .look({ running: concurrency, queued: 0 })
      .obey()
  }

  closed(
    to: number | null = this.state.job?.window?.to ?? null,
    traces: readonly RequestTrace[] = [],
  ): string[] {
    const window = this.state.job?.window ?? null
    const counts = window === null || to === null ? null : countsOf({ ...window, to })
    return this.tell({ kind: 'streams-closed', counts, cutOff: traces }).obey()
  }

  /** From the start to the end of calibration, prefill rows and so many cells, all well. */
  calibrate(): this {
    this.obey()
    this.idle()
    this.ended(answered('calibrate', 1980, 500), answered('calibrate', 23_980, 6000))
    return this
  }

  prefill(ttftMs = 300): this {
    this.idle()
    while (this.state.job?.target.kind === 'prefill' && this.state.job.phase === 'requests') {
      const purpose = this.state.job.warmUps === 0 ? 'warm' : 'prefill'
      this.ended(answered(purpose, 32_000, 8000, ttftMs))
    }
    return this
  }

  launch(): this {
    this.idle()
    if (this.state.job?.phase === 'requests') {
      const { contextTokens, concurrency } = this.cell().plan
      const cold = concurrency - (this.state.warmedStreams[contextTokens] ?? 0)
      // A little below the context, as the policy wants it.
      const tokens = Math.round(contextTokens * 0.998)
      this.ended(...Array.from({ length: cold }, () => answered('warm', 4 * tokens, tokens)))
    }
    return this
  }

  open(): this {
    this.latch()
    this.wait(1000).obey()
    return this
  }

  measure(): this {
    this.launch().open()
    this.wait(100 + 30_000 + 50).obey()
    this.closed()
    return this
  }

  cell(index?: number): CellState {
    const target = this.state.job?.target
    const cell = this.state.cells[index ?? (target?.kind === 'cell' ? target.cell : -1)]
    if (cell === undefined) throw new Error('no such cell')
    return cell
  }
}

export function answered(
  purpose: RequestTrace['purpose'],
  promptChars: number,
  promptTokens: number | null,
  ttftMs: number | null = 300,
): RequestTrace {
  const firstTokenAt = ttftMs === null ? null : 5000 + ttftMs
  return trace({
    purpose,
    promptChars,
    promptTokens,
    writtenAt: 5000,
    firstTokenAt,
    lastTokenAt: firstTokenAt,
    endedAt: 6000,
  })
}

export const brokenBy = (failure: RequestFailure, purpose: RequestTrace['purpose'] = 'warm') =>
  trace({ purpose, outcome: { kind: 'failed', failure } })

/** A request that streams from before the window to its end. */
export function streamed(window: Window, change: Partial<RequestTrace> = {}): RequestTrace {
  return trace({
    purpose: 'launch',
    writtenAt: window.from - 2000,
    firstTokenAt: window.from - 1900,
    lastTokenAt: window.to,
    endedAt: window.to + 60,
    outcome: { kind: 'cut-off' },
    window: share({ firstAt: window.from, lastAt: window.to, chunks: 300, tokens: 300 }),
    ...change,
  })
}

function countsOf(window: Window) {
  return {
    window,
    sliceTokens: Array.from({ length: Math.ceil((window.to - window.from) / window.sliceMs) }, () => 100),
    gaps: [[10_000, 100]],
    binTokens: [],
    gapThirds: [],
    client: { loopDelayP99Ms: 1, loopUtilisation: 0.1, workers: 1 },
  } as const
}

function shortly(step: Step): string {
  switch (step.do) {
    case 'wait':
      return 'wait'
    case 'start-job':
      return `start ${describeTarget(step.target)}`
    case 'end-drain':
      return step.drained ? 'drained' : 'not drained'
    case 'enter':
      return step.phase
    case 'send':
      return `send ${step.requests.length} ${step.requests[0]?.purpose ?? ''}`
    case 'launch':
      return `launch ${step.streams.length}`
    case 'open-window':
    case 'close':
      return step.do
    case 'end-job':
      return step.outcome.kind
    case 'end-run':
      return `run ${step.ending}`
    default:
      return step satisfies never
  }
}

function describeTarget(target: Extract<Step, { do: 'start-job' }>['target']): string {
  switch (target.kind) {
    case 'prefill':
      return `prefill ${target.row}`
    case 'cell':
      return `cell ${target.cell}`
    default:
      return target.kind
  }
}

function factsOf(step: Exclude<Step, { do: 'wait' }>): readonly RunFact[] {
  switch (step.do) {
    case 'start-job':
      return [{ kind: 'job-started', target: step.target }]
    case 'end-drain':
      return [{ kind: 'drain-ended', drained: step.drained }]
    case 'enter':
      return [{ kind: 'phase-entered', phase: step.phase }]
    case 'send':
      return [{ kind: 'phase-entered', phase: 'requests' }]
    case 'launch':
      return [{ kind: 'phase-entered', phase: 'launch' }]
    case 'open-window':
      return [{ kind: 'window-announced', window: step.window }]
    case 'close':
      return [{ kind: 'phase-entered', phase: 'close' }]
    case 'end-job':
      return [{ kind: 'job-ended', outcome: step.outcome }]
    case 'end-run':
      return [
        { kind: 'run-ended', ending: step.ending, message: step.message, wallTime: '2026-01-01T01:00:00Z' },
      ]
    default:
      return step satisfies never
  }
}

/** An answer that a busy server gives. */
export const busy: RequestFailure = { kind: 'http-status', status: 503, message: 'busy' }

/** Decode of 8K alone, by so many streams. */
export const decode = (...concurrency: readonly number[]) =>
  ({ contexts: [8192], concurrency, phases: 'decode' }) as const
