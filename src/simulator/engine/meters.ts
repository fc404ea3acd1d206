import { Histogram } from '../histogram.ts'
import type { FinishReason, SimRequest } from './sim-request.ts'

const ttftBoundsS = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400]
const itlBoundsS = [
  0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6,
  0.8, 1, 2, 4, 6, 8,
]
const e2eBoundsS = [...ttftBoundsS, 600, 1200, 1800, 2400]
const queueBoundsS = [
  0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500,
]

/** What one rank's scheduler counts, in tokens, requests and seconds; never reset, not even by a flush. */
export class RankMeters {
  /** Live: bumped at each step. */
  readonly realtime = { prefillCompute: 0, prefillCache: 0, decode: 0 }
  readonly retracted = { requests: 0, inputTokens: 0, outputTokens: 0 }
  readonly queueSeconds = new Histogram(queueBoundsS)
  /** Decode steps of one stream each: what verifies a draft where there is one. */
  verifyCalls = 0
}

/** What the HTTP side counts over all ranks, in tokens, requests and seconds; never reset. */
export class Meters {
  readonly streamed = new RequestMeters()
  readonly unstreamed = new RequestMeters()
  readonly itlSeconds = new Histogram(itlBoundsS)
  cachedTokens = 0
  abortedRequests = 0

  /** A gap that gave n tokens counts as n gaps of its n-th part, as in SGLang. */
  tokensEmitted(request: SimRequest, tokens: number, at: number): void {
    if (request.lastTokenAt === null) this.#of(request).ttftSeconds.observe((at - request.arrivedAt) / 1000)
    else this.itlSeconds.observe((at - request.lastTokenAt) / 1000 / tokens, tokens)
  }

  requestFinished(request: SimRequest, reason: FinishReason, at: number): void {
    const meters = this.#of(request)
    meters.requests++
    meters.promptTokens += request.prompt.tokens
    meters.outputTokens += request.outputTokens
    meters.e2eSeconds.observe((at - request.arrivedAt) / 1000)
    this.cachedTokens += request.cachedTokens
    if (reason === 'abort') this.abortedRequests++
  }

  #of(request: SimRequest): RequestMeters {
    return request.streaming ? this.streamed : this.unstreamed
  }
}

/** Counters of streamed or of other requests; all but TTFT are bumped when a request finishes, not before. */
export class RequestMeters {
  requests = 0
  promptTokens = 0
  outputTokens = 0
  readonly ttftSeconds = new Histogram(ttftBoundsS)
  readonly e2eSeconds = new Histogram(e2eBoundsS)
}
