import { tokenize } from '../engine/prompt.ts'
import { changeFaults, showFaults } from './fault-routes.ts'
import { flushRoute } from './flush-route.ts'
import { generationRoute } from './generation-route.ts'
import type { Host } from './host.ts'
import type { Page, Route } from './http-call.ts'
import { loads, loadsText, oldLoads, readLoadsQuery } from './loads.ts'
import { metricsRoute } from './metrics-route.ts'
import { modelCard, modelInfo, modelList, noSuchModel } from './model-facts.ts'
import { sendInvalid, sendJson, sendText } from './reply.ts'
import { serverInfo } from './server-info.ts'
import { isTokenIds, textOfTokenIds, tokenIds } from './token-ids.ts'

const healthCheckMs = 20_000

/** The page at a path; undefined where there is none. */
export type Pages = (path: string) => Page | undefined

/** SGLang's pages, or those that a client of its API can meet, and the simulator's own. */
export function createPages(host: Host): Pages {
  const { view, startedAt } = host
  let anonymous = 0
  const newRid = () => `sim-${(++anonymous).toString(16).padStart(28, '0')}`
  const pages = new Map<string, Page>(
    Object.entries({
      '/': get(({ response }) => sendText(response, 200, 'SGLang is running\n')),
      '/health': get(({ response }) => sendText(response, 200, '')),
      '/ping': get(({ response }) => sendText(response, 200, '')),
      '/health_generate': get(healthRoute(host, newRid)),
      '/v1/models': get(({ response }) => sendJson(response, 200, modelList(view, startedAt))),
      '/model_info': get(({ response }) => sendJson(response, 200, modelInfo(view))),
      '/get_model_info': get(({ response }) => sendJson(response, 200, modelInfo(view))),
      '/server_info': get(infoRoute(host)),
      '/get_server_info': get(infoRoute(host)),
      '/v1/loads': get(loadsRoute(host)),
      '/get_load': get(({ response }) => sendJson(response, 200, oldLoads(view))),
      '/flush_cache': { methods: ['GET', 'POST'], takesJson: false, route: flushRoute(host) },
      '/abort_request': post(abortRoute(host)),
      '/tokenize': post(tokenizeRoute(host)),
      '/v1/tokenize': post(tokenizeRoute(host)),
      '/detokenize': post(detokenize),
      '/v1/detokenize': post(detokenize),
      '/generate': post(generationRoute('generate', host, newRid)),
      '/v1/completions': post(generationRoute('completions', host, newRid)),
      '/v1/chat/completions': post(generationRoute('chat', host, newRid)),
      '/simulator/faults': {
        methods: ['GET', 'POST'],
        takesJson: true,
        route: call => (call.method === 'GET' ? showFaults : changeFaults)(host)(call),
      },
    }),
  )
  const metrics: Page = { methods: ['GET', 'POST'], takesJson: false, route: metricsRoute(host) }
  const model = get(modelRoute(host))
  const faulty = [
    { fault: 'no-loads', paths: ['/v1/loads', '/get_load'] },
    { fault: 'no-abort', paths: ['/abort_request'] },
    { fault: 'no-tokenize', paths: ['/tokenize', '/v1/tokenize', '/detokenize', '/v1/detokenize'] },
  ] as const
  const isLost = (path: string) =>
    faulty.some(({ fault, paths }) => paths.some(one => one === path) && host.faults.get(fault) !== undefined)
  return path => {
    if (/^\/metrics(\/|$)/.test(path)) return metrics
    if (view.dialect.missing.includes(path) || isLost(path)) return undefined
    return pages.get(path) ?? (/^\/v1\/models\/./.test(path) ? model : undefined)
  }
}

function get(route: Route): Page {
  return { methods: ['GET'], takesJson: false, route }
}

function post(route: Route): Page {
  return { methods: ['POST'], takesJson: true, route }
}

/** Generates one token, as SGLang does; says so when it has come. */
function healthRoute({ driver, view }: Host, newRid: () => string): Route {
  return ({ response }) => {
    const { pageTokens } = view.engine.profile.limits
    const request = {
      rid: `HEALTH_CHECK_${newRid()}`,
      prompt: tokenize('0', pageTokens),
      maxNewTokens: 1,
      ignoreEos: true,
      streaming: false,
    }
    const late = setTimeout(() => sendText(response, 503, ''), healthCheckMs)
    driver.submit(request, () => () => {
      clearTimeout(late)
      if (!response.headersSent) sendText(response, 200, '')
    })
  }
}

function modelRoute({ view, startedAt }: Host): Route {
  return ({ response, path }) => {
    const id = path.slice('/v1/models/'.length)
    if ([view.modelName, encodeURIComponent(view.modelName)].includes(id))
      sendJson(response, 200, modelCard(view, startedAt))
    else sendJson(response, 404, noSuchModel(id))
  }
}

function infoRoute({ view, options, faults, port }: Host): Route {
  return ({ response }) => {
    const { maxQueuedRequests, reasoningParser, apiKey } = options
    const metrics = faults.get('no-metrics') === undefined
    const cacheReport = faults.get('no-cache-report') === undefined
    const secured = apiKey !== null
    const launch = { port, secured, metrics, cacheReport, maxQueuedRequests, reasoningParser }
    sendJson(response, 200, serverInfo(view, launch))
  }
}

function loadsRoute({ view, faults, now }: Host): Route {
  return ({ response, query }) => {
    const wanted = readLoadsQuery(query)
    if ('problem' in wanted) return sendInvalid(response, wanted.problem)
    const metrics = faults.get('no-metrics') === undefined
    const body = loads(view, wanted, metrics, now().toISOString())
    if (wanted.format === 'json') sendJson(response, 200, body)
    else sendText(response, 200, loadsText(body), 'text/plain; version=0.0.4; charset=utf-8')
  }
}

/** Always 200 and empty, also for an id that nobody has. */
function abortRoute({ driver, view, faults }: Host): Route {
  return ({ response, body }) => {
    const abort = () => {
      if (body.abort_all === true && view.dialect.abortsAll) driver.abort('')
      else if (typeof body.rid === 'string') driver.abort(body.rid)
    }
    const slow = faults.get('abort-slow')
    if (slow !== undefined) setTimeout(abort, slow.delayMs)
    else if (faults.get('abort-ignored') === undefined) abort()
    sendText(response, 200, '')
  }
}

function tokenizeRoute({ view }: Host): Route {
  return ({ response, body }) => {
    if (typeof body.prompt !== 'string') return sendInvalid(response, 'prompt must be a string')
    const tokens = tokenIds(body.prompt)
    const { contextTokens } = view.engine.profile.limits
    sendJson(response, 200, { tokens, count: tokens.length, max_model_len: contextTokens })
  }
}

const detokenize: Route = ({ response, body }) => {
  if (!isTokenIds(body.tokens)) return sendInvalid(response, 'tokens must be a list of token ids')
  sendJson(response, 200, { text: textOfTokenIds(body.tokens).replaceAll('\0', '') })
}
