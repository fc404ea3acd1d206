import { Engine } from '../../src/simulator/engine/engine.ts'
import { tokenize } from '../../src/simulator/engine/prompt.ts'
import type { Output, Submission } from '../../src/simulator/engine/sim-request.ts'
import type { StepRecord } from '../../src/simulator/engine/step.ts'
import type { Profile, Speculative } from '../../src/simulator/profile.ts'

/** A server whose times can be reckoned by hand: 1 ms a prefill token, 10 ms a decode step, no host cost, pages of 10 tokens. */
const plain: Profile = {
  name: 'plain',
  about: { source: 'Invented.', published: [], fitted: [], assumed: [] },
  model: { path: 'simulated/plain', servedName: 'plain', architecture: 'None' },
  launch: {
    tensorParallel: 1,
    dataParallel: 1,
    loadBalance: 'round-robin',
    overlap: false,
    streamInterval: 1,
  },
  limits: {
    contextTokens: 10_000,
    kvPoolTokens: 20_000,
    pageTokens: 10,
    chunkedPrefillTokens: 100,
    maxPrefillTokens: 200,
    maxRunningRequests: 100,
    state: null,
  },
  speculative: null,
  host: { tokenizerUs: 0, requestMs: 0, disconnectMs: 0 },
  prefill: { batchMs: 0, tokenMs: 1, pairMs: 0, residual: null },
  decode: { fixedMs: 10, streamMs: 0, streamExponent: 1, contextMs: 0 },
  jitter: 0,
}

export type Changes = {
  readonly launch?: Partial<Profile['launch']>
  readonly limits?: Partial<Profile['limits']>
  readonly host?: Partial<Profile['host']>
  readonly decode?: Partial<Profile['decode']>
  readonly speculative?: Profile['speculative']
  readonly jitter?: number
}

export function plainEngine(
  changes: Changes = {},
  seed = 1,
  onStep: (record: StepRecord) => void = () => {},
): Engine {
  const { launch, limits, host, decode, speculative = null, jitter = 0 } = changes
  return new Engine(
    {
      ...plain,
      launch: { ...plain.launch, ...launch },
      limits: { ...plain.limits, ...limits },
      host: { ...plain.host, ...host },
      decode: { ...plain.decode, ...decode },
      speculative,
      jitter,
    },
    seed,
    onStep,
  )
}

/** Speculation that is the same for all streams. */
export function speculation(figures: { draftTokens: number; acceptLength: number }): Speculative {
  return { algorithm: 'X', residual: null, lag: 0, ...figures }
}

/** A request whose prompt has that many tokens; two of the same topic share the shorter one's text. */
export function ask(rid: string, tokens: number, maxNewTokens: number, topic = rid): Submission {
  const text = `${topic} `.repeat(tokens * 4).slice(0, tokens * 4)
  return {
    rid,
    prompt: tokenize(text, plain.limits.pageTokens),
    maxNewTokens,
    ignoreEos: true,
    streaming: true,
  }
}

/** Runs until nothing is left to do; `afterEach` sees the engine after every event. */
export function runUntilIdle(engine: Engine, afterEach: (now: number) => void = () => {}): Output[] {
  const outputs: Output[] = []
  for (let at = engine.nextAt(); at !== null; at = engine.nextAt()) {
    outputs.push(...engine.advanceTo(at))
    afterEach(at)
  }
  return outputs
}

/** When a request's tokens came, in ms. */
export function tokenTimes(outputs: readonly Output[], rid: string): number[] {
  return outputs.filter(({ request, tokens }) => request.rid === rid && tokens > 0).map(({ at }) => at)
}

export function totalTokens(outputs: readonly Output[], rid: string): number {
  return outputs.reduce((sum, { request, tokens }) => sum + (request.rid === rid ? tokens : 0), 0)
}

/** Which requests ended, in order, and how. */
export function endings(outputs: readonly Output[]): string[] {
  return outputs
    .filter(({ finish }) => finish !== null)
    .map(({ request, finish }) => `${request.rid} ${finish}`)
}
