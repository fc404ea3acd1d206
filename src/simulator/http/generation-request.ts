import { tokenize } from '../engine/prompt.ts'
import type { Submission } from '../engine/sim-request.ts'
import { maxSequenceTokens, type Profile } from '../profile.ts'
import type { Dialect } from './dialect.ts'
import { promptText } from './prompt-text.ts'
import { isObject, type JsonObject } from './reply.ts'

/** Which route was called: one of OpenAI's two or SGLang's own. */
export type Endpoint = 'chat' | 'completions' | 'generate'

/** A request for text, checked. */
export type GenerationRequest = Submission & {
  readonly endpoint: Endpoint
  /** Echoed; SGLang does not check it. */
  readonly model: string
  readonly includeUsage: boolean
  readonly continuousUsage: boolean
  /** Output tokens that the model thinks before it answers; 0 where thinking is not told apart. */
  readonly reasoningTokens: number
  /** Thinking is sent as it comes, not at its end. */
  readonly streamReasoning: boolean
}

/** Why a request cannot be served, in SGLang's words. */
export type Refusal = {
  readonly status: 400 | 500 | 503
  readonly message: string
  /** Found when the body was read, or only in the generation: older versions have begun to stream by then. */
  readonly stage: 'reading' | 'generating'
}

/** What is generated when the request does not say; chat goes on to the context's end. */
const defaultTokens = { completions: 16, generate: 128 }
const longestThoughtTokens = 256

/** Reads a request body; `thinks`: the server tells thoughts from answers. */
export function readGenerationRequest(
  endpoint: Endpoint,
  body: JsonObject,
  server: {
    readonly profile: Profile
    readonly dialect: Dialect
    readonly modelName: string
    readonly thinks: boolean
    readonly newRid: () => string
  },
): GenerationRequest | Refusal {
  const { profile, dialect } = server
  const sampling = endpoint === 'generate' ? objectAt(body, 'sampling_params') : body
  if (typeof sampling.n === 'number' && sampling.n > 1)
    return badRequest('n > 1 is not supported by the simulator.')
  const text = promptText(endpoint, body)
  if (text === null) return badRequest(noPrompt[endpoint])
  const prompt = tokenize(text, profile.limits.pageTokens)
  const asked =
    endpoint === 'generate' ? sampling.max_new_tokens : (body.max_completion_tokens ?? body.max_tokens)
  if (asked !== undefined && asked !== null && !isPositive(asked))
    return badRequest(`max_new_tokens must be at least 1, got ${JSON.stringify(asked)}.`)
  const room = profile.limits.contextTokens - prompt.tokens
  const unasked = endpoint === 'chat' ? room : Math.min(defaultTokens[endpoint], room)
  const maxNewTokens = typeof asked === 'number' ? asked : unasked
  const tooLong = tooLongMessage(
    prompt.tokens,
    maxNewTokens,
    typeof asked !== 'number' || dialect.fillsContext,
    profile,
  )
  if (tooLong !== null) return { status: 400, message: tooLong, stage: 'generating' }
  const usage = objectAt(body, 'stream_options')
  const dpRank = body.routed_dp_rank ?? body.data_parallel_rank
  const { stream_interval: streamInterval } = sampling
  const least = sampling.min_tokens ?? sampling.min_new_tokens
  const thinks = endpoint === 'chat' && server.thinks && wantsThoughts(body)
  return {
    endpoint,
    rid: typeof body.rid === 'string' && body.rid !== '' ? body.rid : server.newRid(),
    model: typeof body.model === 'string' ? body.model : server.modelName,
    prompt,
    maxNewTokens,
    ignoreEos: sampling.ignore_eos === true || (typeof least === 'number' && least >= maxNewTokens),
    streaming: body.stream === true,
    ...(typeof dpRank === 'number' ? { dpRank } : {}),
    ...(isPositive(streamInterval) && dialect.generation === 2 ? { streamInterval } : {}),
    // An answer in one piece always tells.
    includeUsage: body.stream !== true || usage.include_usage === true,
    // Unlike vLLM, SGLang honours this without include_usage too.
    continuousUsage: usage.continuous_usage_stats === true && dialect.continuousUsage,
    reasoningTokens: thinks ? Math.min(longestThoughtTokens, Math.floor(maxNewTokens / 2)) : 0,
    streamReasoning: body.stream_reasoning !== false,
  }
}

const noPrompt = {
  chat: 'Messages cannot be empty.',
  completions: 'Prompt cannot be empty; the simulator takes one string or list of token ids.',
  generate: 'Either text or input_ids should be provided.',
} as const

function badRequest(message: string): Refusal {
  return { status: 400, message, stage: 'reading' }
}

function tooLongMessage(
  promptTokens: number,
  maxNewTokens: number,
  mayFill: boolean,
  { limits }: Profile,
): string | null {
  const { contextTokens } = limits
  if (promptTokens >= contextTokens)
    return `The input (${promptTokens} tokens) is longer than the model's context length (${contextTokens} tokens).`
  const maxInputTokens = maxSequenceTokens(limits) - 1
  if (promptTokens > maxInputTokens)
    return (
      `Input length (${promptTokens} tokens) exceeds the maximum allowed length (${maxInputTokens} tokens). ` +
      'Use a shorter input or enable --allow-auto-truncate.'
    )
  const total = promptTokens + maxNewTokens
  if (total < contextTokens || (mayFill && total === contextTokens)) return null
  return (
    `Requested token count exceeds the model's maximum context length of ${contextTokens} tokens. ` +
    `You requested a total of ${total} tokens: ${promptTokens} tokens from the input messages and ` +
    `${maxNewTokens} tokens for the completion. Please reduce the number of tokens in the input messages or the completion ` +
    'to fit within the limit.'
  )
}

/** Qwen's and DeepSeek's templates name the same switch differently. */
function wantsThoughts(body: JsonObject): boolean {
  const template = objectAt(body, 'chat_template_kwargs')
  return (
    body.separate_reasoning !== false && template.enable_thinking !== false && template.thinking !== false
  )
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
}

function objectAt(body: JsonObject, field: string): JsonObject {
  const value = body[field]
  return isObject(value) ? value : {}
}
