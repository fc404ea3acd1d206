import { tokenize } from '../engine/prompt.ts'
import type { Submission } from '../engine/sim-request.ts'
import { maxSequenceTokens, type Profile } from '../profile.ts'
import { isObject, type JsonObject } from './reply.ts'

/** Which of the two OpenAI routes was called. */
export type Endpoint = 'chat' | 'completions'

/** A request for text, checked. */
export type GenerationRequest = Submission & {
  readonly endpoint: Endpoint
  /** Echoed; SGLang does not check it. */
  readonly model: string
  readonly includeUsage: boolean
  readonly continuousUsage: boolean
}

/** What a chat template puts around the messages: 11 tokens. */
const CHAT_TEMPLATE = '<|im_start|>user<|im_end|><|im_start|>model\n'
/** OpenAI's old default for completions; chat goes on to the context's end. */
const DEFAULT_COMPLETION_TOKENS = 16

/** Reads a request body; a string says, in SGLang's words, what is wrong with it. */
export function readGenerationRequest(
  endpoint: Endpoint,
  body: JsonObject,
  profile: Profile,
  newRid: () => string,
): GenerationRequest | string {
  const text = endpoint === 'chat' ? chatText(body.messages) : body.prompt
  if (typeof text !== 'string')
    return endpoint === 'chat'
      ? 'Messages cannot be empty.'
      : 'Prompt cannot be empty or of another type than string.'
  const { contextTokens, pageTokens } = profile.limits
  const prompt = tokenize(text, pageTokens)
  if (prompt.tokens === 0) return 'Prompt cannot be empty.'
  if (prompt.tokens >= contextTokens)
    return `The input (${prompt.tokens} tokens) is longer than the model's context length (${contextTokens} tokens).`
  const maxInputTokens = maxSequenceTokens(profile.limits) - 1
  if (prompt.tokens > maxInputTokens)
    return `Input length (${prompt.tokens} tokens) exceeds the maximum allowed length (${maxInputTokens} tokens). Use a shorter input or enable --allow-auto-truncate.`
  const asked = body.max_completion_tokens ?? body.max_tokens
  if (asked !== undefined && asked !== null && !(Number.isInteger(asked) && Number(asked) >= 1))
    return `max_new_tokens must be at least 1, got ${JSON.stringify(asked)}.`
  const room = contextTokens - prompt.tokens
  const maxNewTokens =
    typeof asked === 'number' ? asked : endpoint === 'chat' ? room : Math.min(DEFAULT_COMPLETION_TOKENS, room)
  if (maxNewTokens > room)
    return (
      `Requested token count exceeds the model's maximum context length of ${contextTokens} tokens. ` +
      `You requested a total of ${prompt.tokens + maxNewTokens} tokens: ${prompt.tokens} tokens from the input messages and ` +
      `${maxNewTokens} tokens for the completion. Please reduce the number of tokens in the input messages or the completion ` +
      'to fit within the limit.'
    )
  const usage = isObject(body.stream_options) ? body.stream_options : {}
  const { rid, model } = body
  return {
    endpoint,
    rid: typeof rid === 'string' && rid !== '' ? rid : newRid(),
    model: typeof model === 'string' ? model : profile.model.servedName,
    prompt,
    maxNewTokens,
    ignoreEos: body.ignore_eos === true,
    streaming: body.stream === true,
    includeUsage: usage.include_usage === true,
    // Unlike vLLM, SGLang honours this without include_usage too.
    continuousUsage: usage.continuous_usage_stats === true,
  }
}

function chatText(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return null
  return CHAT_TEMPLATE + messages.map(messageText).join('\n')
}

function messageText(message: unknown): string {
  const content = isObject(message) ? message.content : ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
