import { z } from 'zod'
import { parseObject, readChatChunk } from '../load/chat-chunk.ts'

/** One event of a stream, as the load threads would read it. */
export type StreamEvent = {
  /** Since the request was written, ms. */
  readonly afterMs: number
  readonly role: string | null
  /** Output that counts as a token: text, or a tool call without one. `null`: none. */
  readonly output: string | null
  readonly completionTokens: number | null
  readonly promptTokens: number | null
  readonly cachedTokens: number | null
  readonly finishReason: string | null
  readonly error: string | null
  /** It ends the stream, or it is no JSON. */
  readonly kind: 'chunk' | 'done' | 'not-json'
}

/** Reads the data of one event. Its texts may hold anything. */
export function readStreamEvent(afterMs: number, data: string): StreamEvent {
  const chunk = readChatChunk(data)
  const kind = data === '[DONE]' ? 'done' : chunk === null ? 'not-json' : 'chunk'
  return {
    afterMs,
    kind,
    role: roleOf(data),
    output: chunk?.hasOutput ? chunk.text : null,
    completionTokens: chunk?.completionTokens ?? null,
    promptTokens: chunk?.promptTokens ?? null,
    cachedTokens: chunk?.cachedTokens ?? null,
    finishReason: chunk?.finishReason ?? null,
    error: chunk?.error ?? null,
  }
}

const roleChunk = z.looseObject({
  choices: z.tuple([z.looseObject({ delta: z.looseObject({ role: z.string() }) })], z.unknown()),
})

function roleOf(data: string): string | null {
  return roleChunk.safeParse(parseObject(data)).data?.choices[0].delta.role ?? null
}
