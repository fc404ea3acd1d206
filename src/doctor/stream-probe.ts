import type { RequestTrace } from '../domain/request-trace.ts'
import { abortRequests } from '../load/abort.ts'
import type { LoadTarget } from '../load/messages.ts'
import { connectionTo, openConnection } from '../load/open-connection.ts'
import { type PromptSource, promptText } from '../load/prompt.ts'
import { RequestBody } from '../load/request-body.ts'
import { StreamRequest } from '../load/stream-request.ts'
import { readStreamEvent, type StreamEvent } from './stream-event.ts'

/** One request as the load threads send it, with each event of its answer. */
export type StreamProbe = {
  readonly trace: RequestTrace
  /** The first 1,000. */
  readonly events: readonly StreamEvent[]
}

export type StreamQuestion = {
  readonly target: LoadTarget
  readonly prompts: PromptSource
  readonly rid: string
  readonly maxTokens: number
}

/** A thousand tokens: enough for a page of any prefix cache. */
const promptChars = 4096
const mostEvents = 1000
const watchMs = 50

/** Sends one streamed request and reads it to its end, its failure, or the target's time-outs. Never rejects. */
export async function probeStream({ target, prompts, rid, maxTokens }: StreamQuestion): Promise<StreamProbe> {
  const text = promptText(prompts, { stream: 0, cold: 0, chars: promptChars })
  const body = new RequestBody(target, text)
  body.set(rid, maxTokens)
  const events: StreamEvent[] = []
  const ended = Promise.withResolvers<RequestTrace>()
  const request = new StreamRequest(
    { rid, purpose: 'calibrate', stream: 0, maxTokens, promptChars: text.length, body: body.bytes },
    {
      counter: () => null,
      onTokens: () => {},
      onFirstToken: () => {},
      onEnd: ended.resolve,
      onEvent: (at, data) => {
        if (events.length < mostEvents) events.push(readStreamEvent(at - (request.writtenAt ?? at), data))
      },
    },
  )
  const client = connectionTo(target)
  await openConnection(client, target)
  request.send(client, target)
  const watch = setInterval(() => {
    if (request.timesOut(performance.now(), target)) void abortRequests([request], target)
  }, watchMs)
  const trace = await ended.promise
  clearInterval(watch)
  await client.destroy()
  return { trace, events }
}
