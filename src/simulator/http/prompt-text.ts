import type { Endpoint } from './generation-request.ts'
import { isObject, type JsonObject } from './reply.ts'
import { isTokenIds, textOfTokenIds } from './token-ids.ts'

/** What a chat template puts around the messages: 11 tokens. */
const chatTemplate = '<|im_start|>user<|im_end|><|im_start|>model\n'

/** The text of a request's prompt, or of one with the given token ids; null when it has none that is supported. */
export function promptText(endpoint: Endpoint, body: JsonObject): string | null {
  switch (endpoint) {
    case 'chat':
      return isTokenIds(body.input_ids) ? textOfTokenIds(body.input_ids) : chatText(body.messages)
    case 'completions':
      return textOrTokens(body.prompt)
    case 'generate':
      return textOrTokens(body.text ?? body.input_ids)
    default:
      return endpoint satisfies never
  }
}

function textOrTokens(value: unknown): string | null {
  if (isTokenIds(value)) return textOfTokenIds(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function chatText(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return null
  return chatTemplate + messages.map(messageText).join('\n')
}

function messageText(message: unknown): string {
  const content = isObject(message) ? message.content : ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
