import {
  type Endpoint,
  type GenerationRequest,
  type Refusal,
  readGenerationRequest,
} from './generation-request.ts'
import type { Host } from './host.ts'
import type { JsonObject } from './reply.ts'
import type { StreamPlan } from './stream-plan.ts'

/** Reads a request and checks it against what the server has running; the plan's say in usage is applied. */
export function admit(
  endpoint: Endpoint,
  body: JsonObject,
  plan: StreamPlan,
  host: Host,
  newRid: () => string,
): GenerationRequest | Refusal {
  if (plan.refused) return { status: 503, message: 'Service is unavailable.', stage: 'reading' }
  const { view, options } = host
  const { engine, dialect, modelName } = view
  const thinks = options.reasoningParser !== null
  const server = { profile: engine.profile, dialect, modelName, thinks, newRid }
  const asked = readGenerationRequest(endpoint, body, server)
  if ('status' in asked) return asked
  if (asked.dpRank !== undefined && engine.ranks[asked.dpRank] === undefined)
    return { status: 400, message: `routed_dp_rank=${asked.dpRank} is out of range.`, stage: 'reading' }
  if (engine.isLive(asked.rid))
    return { status: 400, message: `Duplicate request ID detected: ${asked.rid}`, stage: 'generating' }
  if (isQueueFull(host)) return { status: 503, message: 'The request queue is full.', stage: 'generating' }
  return {
    ...asked,
    includeUsage: asked.includeUsage && plan.usage !== 'none',
    continuousUsage: asked.continuousUsage && plan.usage === 'as-asked',
  }
}

/** Those still in the tokenizer count with those that wait, so that a burst is cut off at the limit, too. */
function isQueueFull({ options, driver, view }: Host): boolean {
  const { maxQueuedRequests } = options
  if (maxQueuedRequests === null) return false
  const running = view.ranks.reduce((sum, { scheduler }) => sum + scheduler.maxRunning, 0)
  const waiting = view.ranks.reduce((sum, { scheduler }) => sum + scheduler.waiting.length, 0)
  return Math.max(waiting, driver.liveRequests - running) >= maxQueuedRequests
}
