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

/** Answers with the flat error object of SGLang's OpenAI routes. */
export function sendBadRequest(response: ServerResponse, message: string): void {
  sendJson(response, 400, { object: 'error', message, type: 'BadRequestError', param: null, code: 400 })
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
