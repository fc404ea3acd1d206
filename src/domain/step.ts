import type { JobOutcome, JobTarget, Phase } from './events.ts'
import type { RunEnding } from './failure.ts'
import type { Window } from './load-record.ts'
import type { PromptSpec } from './prompt-plan.ts'
import type { RequestPurpose } from './request-trace.ts'

/** What the runner has to do now. Every step but `wait` becomes an event before it is carried out. */
export type Step =
  /** Nothing to do before `until` (ms on the run's clock) unless something happens; look at the server this often. */
  | { readonly do: 'wait'; readonly until: number; readonly sampleEveryMs: number }
  | { readonly do: 'start-job'; readonly target: JobTarget }
  | { readonly do: 'end-drain'; readonly drained: boolean }
  | { readonly do: 'enter'; readonly phase: Phase }
  | { readonly do: 'send'; readonly requests: readonly SingleRequest[]; readonly atOnce: number }
  | { readonly do: 'launch'; readonly streams: readonly StreamPlan[]; readonly maxTokens: number }
  | { readonly do: 'open-window'; readonly window: Window }
  | { readonly do: 'close' }
  | { readonly do: 'end-job'; readonly outcome: JobOutcome }
  | { readonly do: 'end-run'; readonly ending: RunEnding; readonly message: string | null }

/** A request that no window measures. */
export type SingleRequest = {
  readonly purpose: Extract<RequestPurpose, 'calibrate' | 'warm' | 'prefill'>
  readonly prompt: PromptSpec
  readonly maxTokens: number
}

/** One stream of a cell: what it sends, and how long its first answer is, tokens. */
export type StreamPlan = { readonly prompt: PromptSpec; readonly firstMaxTokens: number }

/** The end of a job that did what it was for. */
export const jobDone: Step = { do: 'end-job', outcome: { kind: 'done' } }
