import type { CellPass, CellSummary } from './cell-summary.ts'
import type { JobTarget, Phase, PromptSet, RunEvent } from './events.ts'
import type { RequestFailure, RunEnding } from './failure.ts'
import type { HardwareFacts, HardwareSample } from './hardware-sample.ts'
import type { LoadTick, Window, WindowCounts } from './load-record.ts'
import type { PlannedCell, PlannedPrefill } from './plan.ts'
import type { PrefillSample, PrefillSummary } from './prefill-row.ts'
import type { PromptLengthFit } from './prompt-plan.ts'
import type { RequestTrace } from './request-trace.ts'
import type { EarlierResult } from './retry.ts'
import type { RunOptions } from './run-options.ts'
import type { ServerFacts } from './server-facts.ts'
import type { ServerSample } from './server-sample.ts'
import type { TakenOver } from './taken-over.ts'
import type { CellStatus, Reason } from './verdict.ts'

/** All that is known of a run at one time: the fold of its events. Times are ms on the run's clock. */
export type RunState = {
  readonly run: RunIdentity | null
  readonly server: ServerFacts | null
  readonly prefill: readonly PrefillState[]
  readonly cells: readonly CellState[]
  /** What earlier runs measured of this one's plan. */
  readonly takenOver: TakenOver
  readonly job: Job | null
  readonly promptFit: PromptLengthFit | null
  /** The same by the last cold prompt of at least 1,024 tokens: long ones tell better than those of the calibration. */
  readonly coldFit: PromptLengthFit | null
  /** Tokens of a character in the texts of streams that missed their length by the common fit. */
  readonly streamFits: Readonly<Record<number, PromptLengthFit>>
  /** For each context, how many streams' prompts the server has seen. */
  readonly warmedStreams: Readonly<Record<number, number>>
  /** For each context, how long the server took to read one prompt when it was last seen reading one, ms. */
  readonly readMs: Readonly<Record<number, number>>
  /** Whether the server has told of any request how much of its prompt was cached. */
  readonly cacheTold: boolean
  /** Cold prompts used so far; each is a new text. */
  readonly coldPrompts: number
  /** The last minutes of the server, oldest first. */
  readonly samples: readonly ServerSample[]
  /** The machine that the server runs on; `null`: not looked at. */
  readonly hardware: HardwareFacts | null
  /** Its last minutes, oldest first. */
  readonly hardwareSamples: readonly HardwareSample[]
  /** What a reader of the log wants to see, oldest first: everything but samples and ticks, the last 1,000. */
  readonly history: readonly RunEvent[]
  /** Jobs of which `history` may tell, each with what it left: a later pass changes the cell, not what was told of it. */
  readonly endedJobs: readonly EndedJob[]
  readonly stopAsked: boolean
  readonly pauseAsked: boolean
  /** When the server's counters were last seen to fall: it was started anew. */
  readonly serverRestartedAt: number | null
  readonly drainFailures: number
  /** Jobs in a row that failed because the server could not be reached. */
  readonly unreachable: number
  /** Why there is no use in going on. */
  readonly fatal: RequestFailure | null
  /** Requests were sent: the server has to be seen idle before the run ends. */
  readonly loadSent: boolean
  readonly drainedAtEnd: boolean | null
  readonly ending: {
    readonly kind: RunEnding
    readonly at: number
    readonly wallTime: string
    readonly message: string | null
  } | null
}

/** What was asked for, and when: the same to the end of the run. */
export type RunIdentity = {
  readonly id: string
  readonly startedAt: number
  readonly wallTime: string
  readonly command: string
  readonly options: RunOptions
  readonly promptSet: PromptSet
}

/** A job that came to its end. */
export type EndedJob = {
  readonly target: JobTarget
  /** What it measured, as it was then. */
  readonly result: CellState | PrefillState | null
}

/** `planned` and `running` are on the way; a cell that came to its end has one of the statuses of the result file. */
export type Progress = 'planned' | 'running' | CellStatus

/** A prefill row: what is planned, and what became of it. */
export type PrefillState = {
  readonly plan: PlannedPrefill
  readonly status: Progress
  readonly reasons: readonly Reason[]
  readonly summary: PrefillSummary | null
}

/** A cell: what is planned, and what became of it. */
export type CellState = {
  readonly plan: PlannedCell
  readonly status: Progress
  readonly reasons: readonly Reason[]
  readonly summary: CellSummary | null
  /** Figures of a window that was cut short: kept apart, never compared. */
  readonly partial: CellSummary | null
  readonly passes: readonly CellPass[]
  /** While it is measured once more: what it was before. */
  readonly earlier: EarlierResult | null
  /** Passes begun, whatever became of them; the operator's redo counts anew. */
  readonly attempts: number
  /** The operator wants it measured anew. */
  readonly redoAsked: boolean
}

/** The work in progress. */
export type Job = {
  readonly target: JobTarget
  readonly startedAt: number
  readonly phase: Phase
  readonly phaseSince: number
  /** `null` until known; `false`: the server was busy with something else and was measured all the same. */
  readonly drained: boolean | null
  /** Requests that the server ran when that became known; `null`: it did not tell. */
  readonly foreignRunning: number | null
  /** Whether the requests of the `requests` phase have all ended. */
  readonly requestsEnded: boolean
  readonly traces: readonly RequestTrace[]
  readonly prefillSamples: readonly PrefillSample[]
  readonly warmUps: number
  /** A prompt that was warmed earlier turned out to be gone from the server's cache. */
  readonly lostPrompt: boolean
  readonly ticks: readonly LoadTick[]
  readonly samples: readonly ServerSample[]
  readonly hardwareSamples: readonly HardwareSample[]
  readonly failures: number
  readonly lastFailure: RequestFailure | null
  readonly window: Window | null
  readonly counts: WindowCounts | null
  readonly closed: boolean
  readonly skipAsked: boolean
  readonly redoAsked: boolean
  /** The cell as it was before this pass. */
  readonly cellBefore: CellState | null
}

/** Of a run before its first event. */
export const initialState: RunState = {
  run: null,
  server: null,
  prefill: [],
  cells: [],
  takenOver: { prefill: [], cells: [] },
  job: null,
  promptFit: null,
  coldFit: null,
  streamFits: {},
  warmedStreams: {},
  readMs: {},
  cacheTold: false,
  coldPrompts: 0,
  samples: [],
  hardware: null,
  hardwareSamples: [],
  history: [],
  endedJobs: [],
  stopAsked: false,
  pauseAsked: false,
  serverRestartedAt: null,
  drainFailures: 0,
  unreachable: 0,
  fatal: null,
  loadSent: false,
  drainedAtEnd: null,
  ending: null,
}

/** The state with these changes in its job; without a job as it is. */
export function inJob(state: RunState, change: (job: Job) => Partial<Job>): RunState {
  return state.job === null ? state : { ...state, job: { ...state.job, ...change(state.job) } }
}
