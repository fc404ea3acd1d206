import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Page } from './http-call.ts'
import type { Pages } from './pages.ts'
import { parseObject, readBody, sendInvalid, sendJson, sendNotFound } from './reply.ts'

/** Who is let in. */
export type Access = {
  readonly apiKey: string | null
  readonly adminApiKey: string | null
  /** A key may stand in `x-api-key`, too. */
  readonly takesKeyHeader: boolean
}

/** Answers one request as SGLang's web framework does: key, path, method, body, then the page. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
  access: Access,
): Promise<void> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  const { headers } = request
  if (request.method === 'OPTIONS') return sendPreflight(response)
  if (!isLetIn(path, headers, access)) return sendJson(response, 401, { error: 'Unauthorized' })
  const page = pages(path)
  if (page === undefined) return sendNoPage(response, path, pages)
  const method = page.methods.find(one => one === request.method)
  if (method === undefined) return sendWrongMethod(response, page)
  const call = { method, path, query: new URLSearchParams(query), headers, response }
  if (method === 'GET' || !page.takesJson) return page.route({ ...call, body: {} })
  if (!headers['content-type']?.startsWith('application/json'))
    return sendInvalid(response, "Unsupported Media Type: Only 'application/json' is allowed")
  const text = await readBody(request).catch(() => null)
  if (text === null) return // the client went away
  const body = parseObject(text)
  if (body === null) return sendInvalid(response, 'The request body is not a JSON object.')
  page.route({ ...call, body })
}

function isLetIn(path: string, headers: IncomingHttpHeaders, access: Access): boolean {
  // These never need a key, in SGLang as here.
  if (['/health', '/ready', '/metrics'].some(open => path.startsWith(open))) return true
  const key = isAdminPath(path) ? (access.adminApiKey ?? access.apiKey) : access.apiKey
  if (key === null || headers.authorization === `Bearer ${key}`) return true
  return access.takesKeyHeader && headers['x-api-key'] === key
}

function isAdminPath(path: string): boolean {
  return path === '/flush_cache' || path === '/abort_request'
}

function sendPreflight(response: ServerResponse): void {
  const any = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST' }
  response.writeHead(200, any).end()
}

/** A slash too many is redirected to the page without. */
function sendNoPage(response: ServerResponse, path: string, pages: Pages): void {
  const bare = path.replace(/\/$/, '')
  if (bare !== '' && bare !== path && pages(bare) !== undefined)
    response.writeHead(307, { location: bare }).end()
  else sendNotFound(response)
}

function sendWrongMethod(response: ServerResponse, { methods }: Page): void {
  response.setHeader('allow', methods.join(', '))
  sendJson(response, 405, { detail: 'Method Not Allowed' })
}
