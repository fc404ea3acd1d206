/** What the client needs of one streamed chunk, from the chat or the completions endpoint of any engine. */
export type ChatChunk = {
  /** It carries output: a role, a null, an empty text or usage alone are not output. */
  readonly hasOutput: boolean
  /** The text of the output, answer and reasoning alike; tool calls have none. */
  readonly text: string
  /** Output tokens of the request so far; `null`: not told in this chunk. */
  readonly completionTokens: number | null
  readonly promptTokens: number | null
  readonly cachedTokens: number | null
  readonly finishReason: string | null
  /** The server's words when it reports an error inside the stream. */
  readonly error: string | null
}

/** Field names of output text: SGLang's and vLLM's for answers and reasoning, tool calls, the completions endpoint's. */
const outputFields = ['content', 'reasoning_content', 'reasoning', 'tool_calls'] as const

/** Reads the data of one server-sent event; `null` when it is not a JSON object. Hot path: plain checks, no schema. */
export function readChatChunk(data: string): ChatChunk | null {
  const chunk = parseObject(data)
  if (chunk === null) return null
  const choice = objectOf(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined)
  const usage = objectOf(chunk.usage)
  const output = choice === null ? null : outputOf(choice)
  return {
    hasOutput: output !== null,
    text: typeof output === 'string' ? output : '',
    completionTokens: numberOf(usage?.completion_tokens),
    promptTokens: numberOf(usage?.prompt_tokens),
    cachedTokens: numberOf(objectOf(usage?.prompt_tokens_details)?.cached_tokens),
    finishReason: typeof choice?.finish_reason === 'string' ? choice.finish_reason : null,
    error: errorMessage(chunk),
  }
}

/** The message of an error body or event: flat (`object: "error"`), nested (`error: {message}`) or a bare string. */
export function errorMessage(body: Record<string, unknown>): string | null {
  if (typeof body.error === 'string') return body.error
  const nested = objectOf(body.error)
  if (nested !== null) return typeof nested.message === 'string' ? nested.message : 'error without a message'
  return body.object === 'error' && typeof body.message === 'string' ? body.message : null
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** The first field that is filled: some engines tell the same text under two names. */
function outputOf(choice: Record<string, unknown>): unknown {
  if (isFilled(choice.text)) return choice.text
  const delta = objectOf(choice.delta)
  if (delta === null) return null
  for (const field of outputFields) if (isFilled(delta[field])) return delta[field]
  return null
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
