import { Engine } from '../engine/engine.ts'
import type { Output, SimRequest } from '../engine/sim-request.ts'
import { effectiveMaxRunning, type Profile } from '../profile.ts'
import { type CellRun, submission, uniquePrompt, VirtualClient } from './virtual-client.ts'

/** What a client measures: rates in tok/s, times in ms. Null: no request to tell it. */
export type CellFigures = {
  readonly totalTokensPerSecond: number
  /** Median over the requests' parts in the window. */
  readonly perRequestTokensPerSecond: number | null
  /** Median over the requests that the cell began with, all at once. */
  readonly launchTtftMs: number | null
  readonly meanRunning: number
}

/** How long a client waits for all streams to run before it opens the window all the same. */
const readyTimeoutMs = 30_000
const settleMs = 1000
/** A request's part in the window tells its speed from so much on. */
const leastPart = { tokens: 16, chunks: 3 }

/** TTFT (ms) of a prompt of that many tokens that nothing is cached of, alone on the server. */
export function coldTtftMs(profile: Profile, promptTokens: number): number {
  const engine = new Engine({ ...profile, jitter: 0 }, 1)
  engine.submit(submission('cold', uniquePrompt(0, promptTokens, profile.limits.pageTokens), 1), 0)
  for (let at = engine.nextAt(); at !== null; at = engine.nextAt())
    for (const { tokens } of engine.advanceTo(at)) if (tokens > 0) return at
  return Number.NaN
}

/**
 * Runs a decode cell in virtual time as a client does: a prompt of its own for each stream, cached before; first requests of evenly
 * spread lengths, each followed by one of full length as it ends; a window once all streams have had a token.
 */
export function measureCell(profile: Profile, run: CellRun): CellFigures {
  const client = new VirtualClient(profile, run)
  client.warm()
  client.launch()
  const launchTtft: number[] = []
  const canAllRun = run.concurrency <= effectiveMaxRunning(profile.limits) * profile.launch.dataParallel
  const isReady = () => (client.allStarted && canAllRun) || client.now > client.launchedAt + readyTimeoutMs
  let window: Window | null = null
  while (window === null || client.now < window.closesAt) {
    window?.holds(client.running)
    const outputs = client.advance()
    window?.add(outputs, client.now)
    for (const { request, at, tokens } of outputs)
      if (request.arrivedAt === client.launchedAt && request.sentTokens === tokens && tokens > 0)
        launchTtft.push(at - client.launchedAt)
    if (isReady()) window ??= new Window(client.now + settleMs, run.windowMs)
  }
  return { ...window.figures(), launchTtftMs: median(launchTtft) }
}

/** The middle of a list, or the mean of the middle two; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

type Part = {
  readonly firstAt: number
  readonly firstTokens: number
  lastAt: number
  chunks: number
  tokens: number
}

/** Counts what arrives between two times, ms. */
class Window {
  readonly closesAt: number
  readonly #opensAt: number
  readonly #parts = new Map<SimRequest, Part>()
  #tokens = 0
  #runningMs = 0
  #running = 0
  #until: number

  constructor(opensAt: number, lengthMs: number) {
    this.#opensAt = opensAt
    this.#until = opensAt
    this.closesAt = opensAt + lengthMs
  }

  /** Requests that run until the next outputs. */
  holds(running: number): void {
    this.#running = running
  }

  add(outputs: readonly Output[], now: number): void {
    const until = Math.min(now, this.closesAt)
    this.#runningMs += this.#running * Math.max(0, until - this.#until)
    this.#until = Math.max(this.#until, until)
    for (const { request, at, tokens } of outputs) {
      if (tokens === 0 || at < this.#opensAt || at >= this.closesAt) continue
      this.#tokens += tokens
      const part = this.#parts.get(request)
      if (part === undefined)
        this.#parts.set(request, { firstAt: at, firstTokens: tokens, lastAt: at, chunks: 1, tokens })
      else {
        part.lastAt = at
        part.chunks++
        part.tokens += tokens
      }
    }
  }

  figures(): Omit<CellFigures, 'launchTtftMs'> {
    const speeds = [...this.#parts.values()]
      .filter(({ tokens, chunks }) => tokens >= leastPart.tokens && chunks >= leastPart.chunks)
      .map(({ firstAt, lastAt, tokens, firstTokens }) => ((tokens - firstTokens) * 1000) / (lastAt - firstAt))
    const lengthMs = this.closesAt - this.#opensAt
    return {
      totalTokensPerSecond: (this.#tokens * 1000) / lengthMs,
      perRequestTokensPerSecond: median(speeds),
      meanRunning: this.#runningMs / lengthMs,
    }
  }
}
