import { describeFailure, type RequestFailure } from '../domain/failure.ts'
import { ttftMs } from '../domain/request-trace.ts'
import type { ServerFacts } from '../domain/server-facts.ts'
import { amount, count, milliseconds } from '../format/units.ts'
import { advice } from './advice.ts'
import { type Finding, fail, notTold, ok, warn } from './finding.ts'
import type { StreamProbe } from './stream-probe.ts'

/** What one answered request shows of how tokens and first tokens are told; `again` is the same prompt once more. */
export function checkStream(
  facts: ServerFacts,
  first: StreamProbe,
  again: StreamProbe | null,
): readonly Finding[] {
  const { outcome, counting } = first.trace
  const { engine } = facts
  if (outcome.kind === 'failed') return [generationFailed(outcome.failure)]
  return [
    ok('generation', generationText(first)),
    firstToken(first),
    tokenCounts(counting, engine.name),
    answerLength(first),
    // Without usage there is nothing that could tell.
    ...(again === null || counting === 'chunks' ? [] : [cacheReport(again, facts)]),
  ]
}

function generationText({ trace, events }: StreamProbe): string {
  const chunks = events.filter(({ output }) => output !== null).length
  const tokens = trace.counting === 'chunks' ? '' : `${amount(trace.outputTokens, 'token')} in `
  return `${tokens}${amount(chunks, 'chunk')} of text`
}

function generationFailed(failure: RequestFailure): Finding {
  return fail('generation', describeFailure(failure), generationFix(failure))
}

function generationFix(failure: RequestFailure): string {
  switch (failure.kind) {
    case 'connect':
    case 'stream-broken':
      return 'see whether the server still runs, and whether a proxy before it cuts streams'
    case 'http-status':
      if (failure.status === 401 || failure.status === 403) return 'check --api-key'
      if (failure.status === 404) return 'try the other --endpoint, and check the path of the url'
      return 'see the log of the server'
    case 'server-error':
      return 'see the log of the server'
    case 'timeout':
      return 'see whether the server is stuck or loaded by others'
    case 'protocol':
      return 'check that the url is the server’s own and that nothing before it changes answers'
    default:
      return failure satisfies never
  }
}

/** So many chunks of text, all within this time, were not streamed: they take longer to make. */
const heldBack = { chunks: 4, withinMs: 1 }

/** What came before the first output is not a token: TTFT does not end there. */
function firstToken({ trace, events }: StreamProbe): Finding {
  const index = events.findIndex(({ output }) => output !== null)
  if (index < 0 || trace.firstTokenAt === null)
    return fail('first-token', 'no chunk with text', 'try the other --endpoint')
  const times = events.flatMap(({ output, afterMs }) => (output === null ? [] : [afterMs]))
  if (times.length >= heldBack.chunks && Math.max(...times) - Math.min(...times) < heldBack.withinMs)
    return fail(
      'first-token',
      `all ${count(times.length)} chunks of text came at once, ${milliseconds(ttftMs(trace))} after the request was written: the answer was held back`,
      'reach the server without the proxy before it, or switch its buffering off',
    )
  const before =
    index === 0 ? '' : `; ${amount(index, 'event')} before it without text (TTFT does not end there)`
  return ok(
    'first-token',
    `event ${index + 1}, ${milliseconds(ttftMs(trace))} after the request was written${before}`,
  )
}

function tokenCounts(counting: StreamProbe['trace']['counting'], engine: string): Finding {
  switch (counting) {
    case 'continuous-usage':
      return ok('token-counts', 'usage in the chunks: tokens are counted as they come')
    case 'final-usage':
      return warn(
        'token-counts',
        'usage only at the end: chunks are scaled by it, cells are marked tokens-estimated',
        advice(engine, 'token-counts'),
      )
    case 'chunks':
      return fail(
        'token-counts',
        'no usage at all: a chunk would count as one token',
        'see what drops stream_options: a proxy, or a server that knows no include_usage',
      )
    default:
      return counting satisfies never
  }
}

/** A window needs streams that run on: the server has to obey `ignore_eos`. */
function answerLength({ trace, events }: StreamProbe): Finding {
  const reason = events.findLast(({ finishReason }) => finishReason !== null)?.finishReason ?? null
  const told = trace.counting === 'chunks' ? null : trace.outputTokens
  if (reason === 'length' || told === trace.maxTokens)
    return ok('answer-length', `as long as asked for: ${amount(trace.maxTokens, 'token')}`)
  if (told === null) return notTold('answer-length', `ended by "${reason ?? 'nothing'}"`, null)
  return warn(
    'answer-length',
    `${count(told)} of ${amount(trace.maxTokens, 'token')}: ignore_eos is not obeyed`,
    'give --respect-eos, and --max-tokens that answers do reach',
  )
}

function cacheReport({ trace }: StreamProbe, { engine, launch, limits }: ServerFacts): Finding {
  const { cachedTokens, promptTokens, outcome } = trace
  if (outcome.kind === 'failed')
    return warn(
      'cache-report',
      `the second request failed: ${describeFailure(outcome.failure)}`,
      'see the log of the server',
    )
  if (cachedTokens !== null && cachedTokens > 0)
    return ok(
      'cache-report',
      `the same prompt again: ${count(cachedTokens)} of ${count(promptTokens)} tokens cached`,
    )
  if (launch.settings.enable_cache_report !== true)
    return warn(
      'cache-report',
      'usage does not tell cached tokens: warm and cold prompts are told apart by counters at best',
      advice(engine.name, 'cache-report'),
    )
  const saw = 'the same prompt again was not cached'
  return limits.dataParallelRanks > 1
    ? notTold('cache-report', `${saw}: it may have gone to another rank`, null)
    : warn(
        'cache-report',
        `${saw}, although the server reports its cache`,
        'see whether the prefix cache is switched off',
      )
}
