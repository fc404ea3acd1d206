import type { Limit } from './capacity.ts'
import type { ThrottleReason } from './hardware-sample.ts'
import { type Knob, type LaunchFlag, launchFlags } from './launch-flags.ts'
import type { ServerFacts } from './server-facts.ts'
import type { Reason } from './verdict.ts'

/** One thing that limits a cell, with its numbers and the launch flags that govern it. */
export type Finding = Cause & {
  /** `inferred`: the numbers were measured, that this lies behind them was not. */
  readonly basis: 'measured' | 'inferred'
  readonly flags: readonly LaunchFlag[]
}

/** What it is that limits, with its numbers; shares are 0..1. */
export type Cause =
  | { readonly kind: 'not-measured' }
  | { readonly kind: 'being-measured' }
  | { readonly kind: 'no-room'; readonly limit: Limit }
  /** What makes the figures somebody else's: a reason of the verdict. */
  | { readonly kind: 'not-the-server'; readonly reason: Reason }
  /** Requests wait while as many run as the server allows. */
  | { readonly kind: 'request-limit'; readonly running: number; readonly limit: number }
  | { readonly kind: 'state-slots'; readonly usage: number }
  | { readonly kind: 'kv-full'; readonly usage: number | null; readonly retractions: number | null }
  /** Requests wait, and no limit that is known was reached. */
  | { readonly kind: 'queue'; readonly running: number | null }
  | { readonly kind: 'throttle'; readonly reason: ThrottleReason; readonly share: number }
  /** Steps stand still while prompts are read. */
  | { readonly kind: 'stalls'; readonly share: number }
  /** More requests in a batch than CUDA graphs were captured for. */
  | { readonly kind: 'graph-batch'; readonly running: number; readonly largest: number }
  | { readonly kind: 'graph-off' }
  | { readonly kind: 'acceptance'; readonly accepted: number; readonly most: number }
  /** How much longer a step takes than with one stream of the same context; `scaling` 1: `streams` are so many times as fast. */
  | {
      readonly kind: 'steps'
      readonly stepMs: number
      readonly aloneMs: number
      readonly streams: number
      readonly scaling: number
    }
  | { readonly kind: 'one-stream'; readonly stepMs: number }
  /** The server does not tell what would show whether requests wait or the cache is full. */
  | { readonly kind: 'no-signals' }

/** A cause with the flags that govern it, in the server's own words. */
export function finding(
  server: ServerFacts,
  cause: Cause,
  basis: Finding['basis'],
  knobs: readonly Knob[] = [],
): Finding {
  return { ...cause, basis, flags: launchFlags(server, knobs) }
}
