import type { PrefillPart } from './prefill-batch.ts'
import type { SimRequest } from './sim-request.ts'

/** What the GPU does from `startsAt` until `endsAt` (ms). */
export type Step =
  | {
      readonly kind: 'prefill'
      readonly startsAt: number
      readonly endsAt: number
      readonly parts: readonly PrefillPart[]
    }
  | {
      readonly kind: 'decode'
      readonly startsAt: number
      readonly endsAt: number
      readonly requests: readonly SimRequest[]
    }

/** Output tokens that a step made for a request. */
export type Given = { readonly request: SimRequest; readonly tokens: number }

/** A finished step in plain data: what two runs of the same seed have in common. */
export type StepRecord = {
  readonly rank: number
  readonly kind: Step['kind']
  readonly startsAt: number
  readonly endsAt: number
  /** Every request that took part; prompt tokens computed in a prefill, and the output tokens made. */
  readonly requests: readonly {
    readonly rid: string
    readonly promptTokens: number
    readonly tokens: number
  }[]
}

/** The record of a step that gave what it gave. */
export function recordStep(rank: number, step: Step, given: readonly Given[]): StepRecord {
  const tokensOf = (request: SimRequest) => given.find(share => share.request === request)?.tokens ?? 0
  const requests =
    step.kind === 'prefill'
      ? step.parts.map(({ request, newTokens }) => ({ request, promptTokens: newTokens }))
      : step.requests.map(request => ({ request, promptTokens: 0 }))
  return {
    rank,
    kind: step.kind,
    startsAt: step.startsAt,
    endsAt: step.endsAt,
    requests: requests.map(({ request, promptTokens }) => ({
      rid: request.rid,
      promptTokens,
      tokens: tokensOf(request),
    })),
  }
}
