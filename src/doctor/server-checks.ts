import type { ServerFacts } from '../domain/server-facts.ts'
import type { ServerSample } from '../domain/server-sample.ts'
import { amount, count } from '../format/units.ts'
import { advice } from './advice.ts'
import { type Finding, notTold, ok, warn } from './finding.ts'

/** What came of an abort for a request that does not exist: an HTTP status, or a failure in a few words. */
export type AbortAnswer = { readonly status: number } | { readonly failure: string }

/** What the server was found to be. */
export type ServerProbe = {
  readonly facts: ServerFacts
  readonly sample: ServerSample
  /** `null`: the engine has no page for it. */
  readonly abort: AbortAnswer | null
}

/** What the server offers of all that makes figures trustworthy, and what would make it offer the rest. */
export function checkServer({ facts, sample, abort }: ServerProbe): readonly Finding[] {
  return [
    ...checkLimits(facts),
    checkMetrics(facts),
    checkLiveRequests(facts, sample),
    checkRealtimeCounters(facts),
    checkAbort(facts, abort),
    checkTokenizer(facts),
    checkIdle(sample),
  ]
}

function checkLimits({ limits }: ServerFacts): readonly Finding[] {
  const limit = (check: string, value: number | null, unit: string, fix: string | null) =>
    value === null ? notTold(check, 'the server does not tell', fix) : ok(check, `${count(value)} ${unit}`)
  const perRank = limits.dataParallelRanks > 1 ? ` for each of ${limits.dataParallelRanks} ranks` : ''
  return [
    limit('context-limit', limits.contextTokens, 'tokens', 'name the lengths to measure by --contexts'),
    limit('kv-cache', limits.kvCacheTokens, `tokens${perRank}`, 'tell the size by --kv-budget'),
    limit('running-limit', limits.maxRunningRequests, `requests${perRank}`, null),
  ]
}

function checkMetrics({ engine, features }: ServerFacts): Finding {
  return features.metrics
    ? ok('metrics', '/metrics has the engine’s figures')
    : warn(
        'metrics',
        'no figures of the engine at /metrics: tokens, KV usage and queue go unchecked',
        advice(engine.name, 'metrics'),
      )
}

/** Figures of now tell when the server is idle and whether requests queue. */
function checkLiveRequests({ engine, features }: ServerFacts, sample: ServerSample): Finding {
  if (sample.fresh)
    return ok('live-requests', features.loads ? '/v1/loads tells them' : '/metrics tells them')
  const stale = features.metrics ? 'only gauges that can be 30 s old' : 'not told'
  return warn(
    'live-requests',
    `running and queued requests: ${stale}; queueing may go unseen`,
    advice(engine.name, 'live-requests'),
  )
}

function checkRealtimeCounters({ engine, features }: ServerFacts): Finding {
  if (features.realtimeCounters) return ok('realtime-counters', 'token counters that move with every step')
  return warn(
    'realtime-counters',
    'no token counters that move with every step: our counts cannot be held against the server’s',
    advice(engine.name, features.metrics ? 'realtime-counters' : 'metrics'),
  )
}

function checkAbort({ engine }: ServerFacts, answer: AbortAnswer | null): Finding {
  if (answer === null)
    return ok('abort', 'requests end when their connection closes; whether they did shows before each cell')
  if ('failure' in answer) return warn('abort', answer.failure, advice(engine.name, 'abort'))
  const { status } = answer
  if (status >= 200 && status < 300) return ok('abort', 'requests can be aborted by their id')
  if (status === 401 || status === 403)
    return warn(
      'abort',
      `aborting needs the admin key (HTTP ${status}): cut-off requests may run on for a while`,
      'start the server without --admin-api-key, or give that key where one key serves for all',
    )
  return warn(
    'abort',
    `HTTP ${status}: cut-off requests may run on for a while`,
    advice(engine.name, 'abort'),
  )
}

function checkTokenizer({ engine, features }: ServerFacts): Finding {
  return features.tokenize
    ? ok('tokenizer', '/tokenize answers')
    : warn(
        'tokenizer',
        'no /tokenize: prompt lengths are set by usage alone',
        advice(engine.name, 'tokenizer'),
      )
}

function checkIdle({ running, queued }: ServerSample): Finding {
  if (running === null) return notTold('idle', 'the server does not tell whether it works for others', null)
  const others = running + (queued ?? 0)
  return others === 0
    ? ok('idle', 'the server works for nobody else')
    : warn('idle', `the server works on ${amount(others, 'request')} of someone else`, 'measure it alone')
}
