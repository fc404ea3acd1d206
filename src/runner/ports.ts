import type { HardwareFacts, HardwareSample } from '../domain/hardware-sample.ts'
import type { LoadTick, Window, WindowCounts } from '../domain/load-record.ts'
import type { RequestTrace } from '../domain/request-trace.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import type { SingleRequest, StreamPlan } from '../domain/step.ts'

/** Time as the run sees it. Milliseconds on one monotonic clock that all threads share. */
export type Clock = {
  now(): number
  /** ISO 8601 with zone. */
  wallTime(): string
  /** Calls back once `at` has come; returns how to call it off. */
  onTime(at: number, wake: () => void): () => void
}

/** Makes and times requests. */
export type LoadPort = {
  /** Sends single requests, at most `atOnce` at a time; resolves with a trace for each when all have ended. Never rejects for a failed request. */
  send(requests: readonly SingleRequest[], atOnce: number): Promise<readonly RequestTrace[]>
  /** Opens C connections, prepares the bodies, then starts all streams; each ended request is replaced at once. */
  launch(streams: readonly StreamPlan[], maxTokens: number, onTick: (tick: LoadTick) => void): Promise<void>
  /** Announces a window ahead of its opening. */
  openWindow(window: Window): void
  /** Aborts all that is under way, on the server too, and closes it. `counts` is `null` when no window was open. */
  close(): Promise<{ readonly counts: WindowCounts | null; readonly cutOff: readonly RequestTrace[] }>
}

/** Looks at the server, again and again. */
export type SamplerPort = {
  /** Reports each observation; the first at once. The pace can change at any time. */
  start(onSample: (sample: ServerSample) => void): void
  setPace(everyMs: number): void
  /** Asks for looks that read the counters, at these times beside the pace. */
  lookAt(times: readonly number[]): void
  stop(): Promise<void>
}

/** Looks at the machine that the server runs on, again and again. */
export type HardwarePort = {
  /** Reports what the machine is, at once and whenever more of it is known, and each look at it. */
  start(onFound: (hardware: HardwareFacts) => void, onSample: (sample: HardwareSample) => void): void
  stop(): Promise<void>
}
