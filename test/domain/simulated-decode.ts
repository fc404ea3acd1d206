import type { CellPass } from '../../src/domain/cell-summary.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { share, trace } from './build.ts'

/** Decode with speculative acceptance, as a sceptic would model it: known truth, noise between and within requests. */
export type DecodeModel = {
  readonly streams: number
  readonly windowMs: number
  readonly stepMs: number
  /** Mean tokens of a step, and how much requests differ in it (standard deviation). */
  readonly acceptance: { readonly mean: number; readonly betweenRequests: number }
  readonly outputTokens: number
}

/** One window over streams in random phases. */
export function decodePass(model: DecodeModel, seed: number): CellPass {
  const random = seededRandom(seed)
  const sliceMs = 1000
  const sliceTokens = Array.from({ length: model.windowMs / sliceMs }, () => 0)
  const traces: RequestTrace[] = []
  // Long enough before the window that phases are those of the steady state.
  const warmUpMs = 4 * ((model.outputTokens / model.acceptance.mean) * model.stepMs)
  for (let stream = 0; stream < model.streams; stream++) {
    let at = -warmUpMs - random() * warmUpMs
    while (at < model.windowMs) {
      const acceptance = requestMean(model.acceptance, random)
      let left = model.outputTokens
      let part = null
      while (left > 0) {
        const tokens = Math.min(left, stepTokens(acceptance, random))
        left -= tokens
        at += model.stepMs
        if (at < 0 || at >= model.windowMs) continue
        const slice = Math.floor(at / sliceMs)
        sliceTokens[slice] = (sliceTokens[slice] ?? 0) + tokens
        part ??= { firstAt: at, lastAt: at, chunks: 0, tokens: 0, firstChunkTokens: tokens, tokensBefore: 0 }
        part.lastAt = at
        part.chunks += 1
        part.tokens += tokens
      }
      if (part !== null) traces.push(trace({ purpose: 'steady', window: share(part) }))
    }
  }
  const client = { loopDelayP99Ms: 1, loopUtilisation: 0.1, workers: 1 }
  return {
    counts: {
      window: { from: 0, to: model.windowMs, sliceMs },
      sliceTokens,
      gaps: [],
      binTokens: [],
      gapThirds: [],
      client,
    },
    traces,
    samples: [],
    hardwareSamples: [],
  }
}

function requestMean({ mean, betweenRequests }: DecodeModel['acceptance'], random: () => number): number {
  return Math.max(1.2, mean + betweenRequests * normal(random))
}

/** 1 to 8 tokens: the bonus token and 7 drafts, each accepted while those before it were. */
function stepTokens(mean: number, random: () => number): number {
  const accepted = (mean - 1) / mean
  let tokens = 1
  while (tokens < 8 && random() < accepted) tokens += 1
  return tokens
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
