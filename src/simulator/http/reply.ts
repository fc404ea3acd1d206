import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with plain text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type }).end(text)
}

/** Answers as SGLang's web framework does where there is no such page. */
export function sendNotFound(response: ServerResponse): void {
  sendJson(response, 404, { detail: 'Not Found' })
}

/** The flat error object of SGLang's OpenAI routes. */
export function errorBody(status: 400 | 500 | 503, message: string): JsonObject {
  const type = { 400: 'BadRequestError', 500: 'InternalServerError', 503: '503' }[status]
  return { object: 'error', message, type, param: null, code: status }
}

/** What FastAPI finds wrong before a route sees the request: 422 there, 400 in SGLang. */
export function sendInvalid(response: ServerResponse, message: string): void {
  sendJson(response, 400, { ...errorBody(400, message), type: 'Bad Request' })
}

/** The request's body as text; rejects when the client goes away before its end. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A parsed JSON object, its fields unchecked. */
export type JsonObject = { readonly [field: string]: unknown }

/** Whether a parsed value is an object, and not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a JSON object; null when it is none. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
