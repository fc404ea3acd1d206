import { onTestFinished } from 'vitest'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { LoadTarget } from '../../src/load/messages.ts'
import { connectionTo } from '../../src/load/open-connection.ts'
import { StreamRequest } from '../../src/load/stream-request.ts'
import type { WindowCounter } from '../../src/load/window-counter.ts'

/** A request under way, and all that it reports. */
export type Asked = {
  readonly request: StreamRequest
  readonly trace: Promise<RequestTrace>
  readonly ends: RequestTrace[]
  readonly tokens: number[]
  readonly ttftMs: number[]
  readonly firstToken: Promise<void>
}

let rids = 0

/** Sends one request over a connection of its own, or over the given one. */
export function ask(
  target: LoadTarget,
  { client = connectionTo(target), counter = null }: Options = {},
): Asked {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<RequestTrace>()
  const ends: RequestTrace[] = []
  const tokens: number[] = []
  const ttftMs: number[] = []
  const rid = String(rids++)
  const request = new StreamRequest(
    {
      rid,
      purpose: 'launch',
      stream: 0,
      maxTokens: 8,
      promptChars: 5,
      body: Buffer.from(JSON.stringify({ rid, max_tokens: 8 })),
    },
    {
      counter: () => counter,
      onTokens: count => tokens.push(count),
      onFirstToken: ms => {
        ttftMs.push(ms)
        started.resolve()
      },
      onEnd: trace => {
        ends.push(trace)
        ended.resolve(trace)
      },
    },
  )
  request.send(client, target)
  onTestFinished(() => client.destroy())
  return { request, trace: ended.promise, ends, tokens, ttftMs, firstToken: started.promise }
}

type Options = { readonly client?: ReturnType<typeof connectionTo>; readonly counter?: WindowCounter | null }
