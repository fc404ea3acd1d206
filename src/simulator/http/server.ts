import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tokenize } from '../engine/prompt.ts'
import type { EngineDriver } from './engine-driver.ts'
import { streamReply, wholeReply } from './generation-reply.ts'
import { type Endpoint, readGenerationRequest } from './generation-request.ts'
import { metricsPage } from './metrics-page.ts'
import {
  isObject,
  type JsonObject,
  parseObject,
  readBody,
  sendBadRequest,
  sendJson,
  sendText,
} from './reply.ts'
import { loads, modelInfo, modelList, serverInfo } from './server-facts.ts'

type Route = (response: ServerResponse, body: JsonObject) => void

/** The HTTP face of the simulated server: SGLang's routes, or the subset that a benchmark meets. */
export function createSimulatedServer(
  driver: EngineDriver,
  options: { apiKey: string | null; now: () => Date },
): Server {
  const { engine } = driver
  const { limits, host } = engine.profile
  const startedAt = unixSeconds(options.now())
  let anonymous = 0

  const info: Route = response => {
    sendJson(response, 200, serverInfo(engine, { port: port(server), secured: options.apiKey !== null }))
  }
  const flush: Route = response => {
    if (engine.flush()) sendText(response, 200, 'Cache flushed.\n')
    else sendText(response, 400, 'Flush cache failed: there are running or waiting requests.\n')
  }
  const tokens: Route = (response, { prompt }) => {
    if (typeof prompt !== 'string') return sendBadRequest(response, 'prompt must be a string')
    const { tokens: count } = tokenize(prompt, limits.pageTokens)
    sendJson(response, 200, {
      tokens: Array.from({ length: count }, (_, i) => i % 1000),
      count,
      max_model_len: limits.contextTokens,
    })
  }
  const abort: Route = (response, body) => {
    if (body.abort_all === true) driver.abort('')
    else if (typeof body.rid === 'string') driver.abort(body.rid)
    sendText(response, 200, '')
  }
  const generate =
    (endpoint: Endpoint): Route =>
    (response, body) => {
      const asked = readGenerationRequest(
        endpoint,
        body,
        engine.profile,
        () => `sim-${(++anonymous).toString(16).padStart(28, '0')}`,
      )
      if (typeof asked === 'string') return sendBadRequest(response, asked)
      if (engine.isLive(asked.rid))
        return sendBadRequest(response, `Duplicate request ID detected: ${asked.rid}`)
      const created = unixSeconds(options.now())
      const reply = (asked.streaming ? streamReply : wholeReply)(response, asked, created)
      driver.submit(asked, output => {
        if (!response.destroyed) reply(output)
      })
      response.on('close', () => {
        // SGLang polls for closed connections; that it goes by id then hits a new request of the same id, here too.
        const abandon = () => {
          if (engine.isLive(asked.rid)) driver.abort(asked.rid)
        }
        if (!response.writableFinished) setTimeout(abandon, host.disconnectMs)
      })
    }

  const routes = new Map<string, Route>([
    ['GET /', response => sendText(response, 200, 'SGLang is running\n')],
    ['GET /health', response => sendText(response, 200, '')],
    [
      'GET /metrics',
      response => sendText(response, 200, metricsPage(engine), 'text/plain; version=0.0.4; charset=utf-8'),
    ],
    ['GET /v1/models', response => sendJson(response, 200, modelList(engine, startedAt))],
    ['GET /model_info', response => sendJson(response, 200, modelInfo(engine))],
    ['GET /get_model_info', response => sendJson(response, 200, modelInfo(engine))],
    ['GET /server_info', info],
    ['GET /get_server_info', info],
    ['GET /v1/loads', response => sendJson(response, 200, loads(engine, options.now().toISOString()))],
    ['GET /flush_cache', flush],
    ['POST /flush_cache', flush],
    ['POST /tokenize', tokens],
    ['POST /v1/tokenize', tokens],
    ['POST /abort_request', abort],
    ['POST /v1/chat/completions', generate('chat')],
    ['POST /v1/completions', generate('completions')],
  ])
  const bodiless = new Set(['POST /flush_cache'])

  const server = createServer(async (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?')
    if (options.apiKey !== null && !isOpen(path) && !carriesKey(request, options.apiKey))
      return sendJson(response, 401, { error: 'Unauthorized' })
    const name = `${request.method} ${path}`
    const route = routes.get(name)
    if (route === undefined) return sendJson(response, 404, { detail: 'Not Found' })
    if (request.method === 'GET' || bodiless.has(name)) return route(response, {})
    if (!request.headers['content-type']?.startsWith('application/json'))
      return sendBadRequest(response, "Unsupported Media Type: Only 'application/json' is allowed")
    const text = await readBody(request).catch(() => null)
    if (text === null) return // the client went away
    const body = parseObject(text)
    if (body === null) return sendBadRequest(response, 'The request body is not a JSON object.')
    route(response, body)
  })
  return server
}

/** Paths that never need a key, in SGLang as here. */
function isOpen(path: string): boolean {
  return path.startsWith('/health') || path.startsWith('/metrics')
}

function carriesKey({ headers }: IncomingMessage, key: string): boolean {
  return headers.authorization === `Bearer ${key}` || headers['x-api-key'] === key
}

/** The port that the server listens on; 0 before it does. */
export function port(server: Server): number {
  const address = server.address()
  return isObject(address) && typeof address.port === 'number' ? address.port : 0
}

function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
