import type { ServerResponse } from 'node:http'
import type { EventStream } from './event-stream.ts'
import type { Endpoint, Refusal } from './generation-request.ts'
import { errorBody, type JsonObject, sendJson } from './reply.ts'

/** Answers with the status and the error body of the route. */
export function sendRefusal(
  response: ServerResponse,
  endpoint: Endpoint,
  refusal: Pick<Refusal, 'status' | 'message'>,
): void {
  const body = errorBody(refusal.status, refusal.message)
  sendJson(response, refusal.status, endpoint === 'generate' ? nativeError(refusal.message) : body)
}

/** Says it inside the stream, whose status is 200. */
export function streamRefusal(
  stream: EventStream,
  endpoint: Endpoint,
  { status, message }: Pick<Refusal, 'status' | 'message'>,
): void {
  const error = endpoint === 'generate' ? nativeError(message) : { error: errorBody(status, message) }
  stream.send(JSON.stringify(error))
  stream.end()
}

/** SGLang's own routes wrap the message. */
function nativeError(message: string): JsonObject {
  return { error: { message } }
}
