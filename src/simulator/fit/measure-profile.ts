import { Engine } from '../engine/engine.ts'
import type { Prompt } from '../engine/prompt.ts'
import type { Output, SimRequest } from '../engine/sim-request.ts'
import { effectiveMaxRunning, type Profile } from '../profile.ts'
import { seededRandom } from '../random.ts'

/** A cell to be measured on an engine in virtual time. */
export type CellRun = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly maxOutputTokens: number
  readonly windowMs: number
  readonly seed: number
}

/** What a client measures: rates in tok/s, times in ms. Null: no request to tell it. */
export type CellFigures = {
  readonly totalTokensPerSecond: number
  /** Median over the requests' parts in the window. */
  readonly perRequestTokensPerSecond: number | null
  /** Median of the replacements answered in the window when there are three, else of the first requests. */
  readonly ttftMs: number | null
  readonly meanRunning: number
}

type Share = { firstAt: number; lastAt: number; chunks: number; tokens: number; firstTokens: number }

/** How long a client waits for all streams to run before it opens the window all the same. */
const READY_TIMEOUT_MS = 30_000
const SETTLE_MS = 1000

/** TTFT (ms) of a prompt of that many tokens that nothing is cached of, alone on the server. */
export function coldTtftMs(profile: Profile, promptTokens: number): number {
  const engine = new Engine({ ...profile, jitter: 0 }, 1)
  engine.submit(request('cold', uniquePrompt(0, promptTokens, profile.limits.pageTokens), 1), 0)
  for (let at = engine.nextAt(); at !== null; at = engine.nextAt())
    for (const { tokens } of engine.advanceTo(at)) if (tokens > 0) return at
  return Number.NaN
}

/**
 * Runs a decode cell as a client does: a prompt of its own for each stream, cached before; first requests of evenly spread lengths,
 * each followed by one of full length as it ends; a window once all streams have had a token.
 */
export function measureCell(profile: Profile, run: CellRun): CellFigures {
  const engine = new Engine(profile, run.seed)
  const random = seededRandom(run.seed)
  const prompts = Array.from({ length: run.concurrency }, (_, stream) =>
    uniquePrompt(stream, run.contextTokens - Math.floor(random() * 40), profile.limits.pageTokens),
  )
  let now = 0
  const advance = (): Output[] => {
    now = engine.nextAt() ?? now
    return engine.advanceTo(now)
  }
  for (const [stream, prompt] of prompts.entries()) {
    engine.submit(request(`warm-${stream}`, prompt, 1), now)
    while (engine.nextAt() !== null) advance()
  }
  const launchedAt = now
  const lengths = spreadLengths(run.concurrency, run.maxOutputTokens, random)
  const streamOf = new Map<SimRequest, number>()
  const send = (stream: number, maxNewTokens: number) => {
    const prompt = prompts[stream]
    if (prompt === undefined) throw new RangeError(`no stream ${stream}`)
    streamOf.set(engine.submit(request(`r-${streamOf.size}`, prompt, maxNewTokens), now), stream)
  }
  for (const [stream, length] of lengths.entries()) send(stream, length)

  const started = new Set<number>()
  const launch: number[] = []
  const steady: number[] = []
  const shares = new Map<SimRequest, Share>()
  const canAllRun = run.concurrency <= effectiveMaxRunning(profile.limits) * profile.launch.dataParallel
  let opensAt = Number.POSITIVE_INFINITY
  let total = 0
  let runningMs = 0
  for (let before = now; now < opensAt + run.windowMs; before = now) {
    const inWindow = (at: number) => at >= opensAt && at < opensAt + run.windowMs
    const running = engine.ranks.reduce((sum, rank) => sum + rank.running.length, 0)
    const outputs = advance()
    if (inWindow(now)) runningMs += running * (now - Math.max(before, opensAt))
    for (const { request: answered, at, tokens, finish } of outputs) {
      const stream = streamOf.get(answered) ?? 0
      if (tokens > 0 && answered.firstTokenAt === at && answered.sentTokens === tokens) {
        if (answered.arrivedAt === launchedAt) launch.push(at - launchedAt)
        else if (inWindow(answered.arrivedAt) && inWindow(at)) steady.push(at - answered.arrivedAt)
        started.add(stream)
      }
      if (tokens > 0 && inWindow(at)) {
        total += tokens
        addTo(shares, answered, at, tokens)
      }
      if (finish !== null) send(stream, run.maxOutputTokens)
    }
    const ready = started.size === run.concurrency && canAllRun
    if (opensAt === Number.POSITIVE_INFINITY && (ready || now > launchedAt + READY_TIMEOUT_MS))
      opensAt = now + SETTLE_MS
  }
  const speeds = [...shares.values()]
    .filter(({ tokens, chunks }) => tokens >= 16 && chunks >= 3)
    .map(({ firstAt, lastAt, tokens, firstTokens }) => ((tokens - firstTokens) * 1000) / (lastAt - firstAt))
  return {
    totalTokensPerSecond: (total * 1000) / run.windowMs,
    perRequestTokensPerSecond: median(speeds),
    ttftMs: median(steady.length >= 3 ? steady : launch),
    meanRunning: runningMs / run.windowMs,
  }
}

/** The middle of a list, or the mean of the middle two; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

function addTo(shares: Map<SimRequest, Share>, answered: SimRequest, at: number, tokens: number): void {
  const share = shares.get(answered)
  if (share === undefined)
    shares.set(answered, { firstAt: at, lastAt: at, chunks: 1, tokens, firstTokens: tokens })
  else {
    share.lastAt = at
    share.chunks++
    share.tokens += tokens
  }
}

function request(rid: string, prompt: Prompt, maxNewTokens: number) {
  return { rid, prompt, maxNewTokens, ignoreEos: true, streaming: true }
}

/** A prompt that shares no page with that of another stream. */
function uniquePrompt(stream: number, tokens: number, pageTokens: number): Prompt {
  const pages = Math.floor(tokens / pageTokens)
  return {
    tokens,
    pageHashes: Float64Array.from({ length: pages }, (_, page) => (stream + 1) * 2 ** 24 + page),
  }
}

function spreadLengths(streams: number, longest: number, random: () => number): number[] {
  const offset = random()
  const places = Array.from({ length: streams }, (_, i) => ({ i, order: random() }))
  return places
    .toSorted((a, b) => a.order - b.order)
    .map(({ i }) => Math.max(1, Math.ceil(((i + offset) / streams) * longest)))
}
