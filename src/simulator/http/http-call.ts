import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { JsonObject } from './reply.ts'

/** One request to a page, its body read. */
export type HttpCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly body: JsonObject
}

/** Answers one request. */
export type Route = (call: HttpCall) => void | Promise<void>

/** What a path answers to. */
export type Page = {
  readonly methods: readonly ('GET' | 'POST')[]
  /** A POST must bring a JSON object. */
  readonly takesJson: boolean
  readonly route: Route
}
