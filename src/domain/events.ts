import type { RequestFailure, RunEnding } from './failure.ts'
import type { HardwareFacts, HardwareSample } from './hardware-sample.ts'
import type { LoadTick, Window, WindowCounts } from './load-record.ts'
import type { Plan } from './plan.ts'
import type { RequestTrace } from './request-trace.ts'
import type { RunOptions } from './run-options.ts'
import type { ServerFacts } from './server-facts.ts'
import type { ServerSample } from './server-sample.ts'
import type { TakenOver } from './taken-over.ts'

/**
 * Everything that can happen in a run. The log of these is the only truth: state, screen, journal and result are
 * folds of it. `at` is milliseconds on the run's monotonic clock; no event is written for a single token.
 */
export type RunEvent = { readonly at: number } & RunFact

/** An event without its time. */
export type RunFact =
  | {
      readonly kind: 'run-started'
      readonly runId: string
      /** ISO 8601 with zone. */
      readonly wallTime: string
      /** The command line, secrets removed. */
      readonly command: string
      readonly options: RunOptions
      readonly promptSet: PromptSet
    }
  | { readonly kind: 'server-connected'; readonly server: ServerFacts }
  | { readonly kind: 'matrix-planned'; readonly plan: Plan }
  | { readonly kind: 'results-taken-over'; readonly taken: TakenOver }
  | { readonly kind: 'server-sampled'; readonly sample: ServerSample }
  | { readonly kind: 'hardware-found'; readonly hardware: HardwareFacts }
  | { readonly kind: 'hardware-sampled'; readonly sample: HardwareSample }
  | { readonly kind: 'job-started'; readonly target: JobTarget }
  | { readonly kind: 'phase-entered'; readonly phase: Phase }
  /** The wait for an idle server is over; `false`: it is still busy, and is measured all the same. */
  | { readonly kind: 'drain-ended'; readonly drained: boolean }
  /** A batch of single requests (calibration, warm-up, prefill sample) has ended. */
  | { readonly kind: 'requests-ended'; readonly traces: readonly RequestTrace[] }
  | { readonly kind: 'load-ticked'; readonly tick: LoadTick }
  | { readonly kind: 'window-announced'; readonly window: Window }
  /** Every stream is closed; `counts` is `null` when no window was open. `cutOff` are the requests ended by us. */
  | {
      readonly kind: 'streams-closed'
      readonly counts: WindowCounts | null
      readonly cutOff: readonly RequestTrace[]
    }
  | { readonly kind: 'job-ended'; readonly outcome: JobOutcome }
  | { readonly kind: 'asked'; readonly ask: Ask }
  | {
      readonly kind: 'run-ended'
      readonly ending: RunEnding
      readonly wallTime: string
      readonly message: string | null
    }

/** What the operator may ask of a run. The asking is a fact; what comes of it, the policy decides. */
export type Ask =
  | 'skip-cell'
  | 'stop'
  /** After the job under way nothing new is begun, until `resume` or `stop`. */
  | 'pause'
  | 'resume'
  /** An ended cell is measured anew after the job under way; the running one gives its pass up and begins it anew. */
  | { readonly kind: 'redo-cell'; readonly cell: number }

/** What prompts are made of; runs of another version or hash are not compared silently. The nonce makes each run cold. */
export type PromptSet = { readonly version: string; readonly hash: string; readonly nonce: string }

/** One unit of work: learn how long prompts are in tokens, one prefill row, one pass over one cell, the last drain. */
export type JobTarget =
  | { readonly kind: 'calibrate' }
  | { readonly kind: 'prefill'; readonly row: number }
  | { readonly kind: 'cell'; readonly cell: number }
  | { readonly kind: 'final-drain' }

/** Where a job stands; not every job goes through all of these. */
export type Phase =
  /** Until nothing runs on the server. */
  | 'drain'
  /** Single requests are on their way. */
  | 'requests'
  /** C streams are started, until each had a token and the server runs them all. */
  | 'launch'
  | 'settle'
  | 'window'
  | 'close'

/** How a job ended. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: RequestFailure }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'interrupted' }
  /** The pass is dropped and begun anew. */
  | { readonly kind: 'given-up' }
