import { Agent, type Dispatcher, EnvHttpProxyAgent, interceptors, request } from 'undici'
import { TokgridError } from '../domain/failure.ts'
import type { ProxySettings } from '../domain/proxy-settings.ts'
import { cleanText } from './clean-text.ts'

/** What a request came to. Failures are data here; whether one matters is for the caller to say. */
export type HttpAnswer = { readonly kind: 'ok'; readonly body: string } | HttpFailure

export type HttpFailure =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** No answer. `code` as Node or undici name it: ECONNREFUSED. */
  | { readonly kind: 'connect'; readonly code: string }
  /** The caller's signal ended it. */
  | { readonly kind: 'stopped' }

export type HttpTarget = {
  /** Without a slash at its end. */
  readonly url: string
  readonly apiKey: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Takes any TLS certificate. */
  readonly insecure: boolean
  readonly proxy?: ProxySettings | null
}

export type HttpRequest = {
  readonly path: string
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** A client for small requests to one server, on connections that nothing else uses. */
export type HttpClient = {
  /** Never rejects. */
  ask(request: HttpRequest): Promise<HttpAnswer>
  /** Ends all that is under way. */
  close(): Promise<void>
}

/** A metrics page of a large server has a few MB. */
const bodyLimitBytes = 32 * 1024 * 1024
const maxRedirections = 5

/** Throws TokgridError for a key or a header that HTTP cannot carry. */
export function createHttpClient(target: HttpTarget): HttpClient {
  const { url, apiKey, headers, insecure, proxy } = target
  const own = agentFor(insecure, proxy ?? null)
  // undici itself takes `authorization` off at another origin; a key may stand in any header.
  const dispatcher = own.compose(
    interceptors.redirect({ maxRedirections, stripHeadersOnCrossOriginRedirect: Object.keys(headers) }),
  )
  const sent = {
    // Some servers answer OpenMetrics or a web page to a client that takes anything.
    accept: 'text/plain;version=0.0.4, application/json;q=0.9',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...headers,
  }
  for (const [name, value] of Object.entries(sent)) checkHeader(name, value)

  async function ask({ path, body, timeoutMs, signal }: HttpRequest): Promise<HttpAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await request(url + path, {
        dispatcher,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? sent : { ...sent, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const text = await readBody(answer.body)
      if (text === null) return { kind: 'too-large', limitBytes: bodyLimitBytes }
      const ok = answer.statusCode >= 200 && answer.statusCode < 300
      return ok ? { kind: 'ok', body: text } : { kind: 'status', status: answer.statusCode }
    } catch (error) {
      if (signal?.aborted) return { kind: 'stopped' }
      if (timeout.aborted) return { kind: 'timeout', afterMs: timeoutMs }
      return { kind: 'connect', code: codeOf(error) }
    }
  }

  return { ask, close: () => own.destroy() }
}

function agentFor(insecure: boolean, proxy: ProxySettings | null): Dispatcher {
  const tls = { rejectUnauthorized: !insecure }
  if (proxy === null) return new Agent({ connect: tls })
  return new EnvHttpProxyAgent({
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except,
    connect: tls,
    requestTls: tls,
  })
}

function checkHeader(name: string, value: string): void {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return
  const what = name === 'authorization' ? 'the API key' : `the header "${cleanText(name)}"`
  throw new TokgridError('usage', `${what} holds characters that HTTP does not allow`, 'look for line ends')
}

/** `null` when it is larger than the limit. */
async function readBody(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // Leaving the loop destroys the body and with it the connection.
    if (size > bodyLimitBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Codes only: a message could hold a header. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  // undici's parser names no code.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The answer's JSON; `undefined` without one. */
export function jsonOf(answer: HttpAnswer): unknown {
  if (answer.kind !== 'ok') return undefined
  try {
    return JSON.parse(answer.body)
  } catch {
    return undefined
  }
}

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  HTTPParserError: 'it does not speak HTTP',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  // What undici says when it has been where it is sent.
  UND_ERR_INVALID_ARG: 'a redirect that leads nowhere',
}

/** One phrase that says what went wrong: 'connection refused', 'HTTP 404'. Holds nothing that was sent. */
export function describeHttpFailure(failure: HttpFailure): string {
  switch (failure.kind) {
    case 'status':
      return `HTTP ${failure.status}`
    case 'timeout':
      return `no answer within ${failure.afterMs / 1000} s`
    case 'too-large':
      return `an answer of more than ${failure.limitBytes / 1024 / 1024} MiB`
    case 'connect':
      return connectProblems[failure.code] ?? `no connection (${failure.code})`
    case 'stopped':
      return 'stopped'
    default:
      return failure satisfies never
  }
}
