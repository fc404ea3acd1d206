import { TokgridError } from '../domain/failure.ts'
import type { ProxySettings } from '../domain/proxy-settings.ts'
import type { ServerFacts, ServerFeatures } from '../domain/server-facts.ts'
import { commandText } from './command-text.ts'
import type { EngineAdapter, EngineReport, Probes } from './engine-adapter.ts'
import { chooseEngine } from './engines.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { chooseModel } from './model-list.ts'
import { probeServer } from './probe.ts'
import { readModelList } from './read-model-list.ts'
import { redactSettings } from './redact.ts'
import { serverUrl } from './server-url.ts'

export type ConnectOptions = {
  /** `host:port`, with or without scheme, path and `/v1`. */
  readonly url: string
  readonly apiKey: string | null
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Takes any TLS certificate. */
  readonly insecure: boolean
  /** `null`: the server's first. */
  readonly model: string | null
  /** One of `engineNames`; `null`: the one that the server answers as. */
  readonly engine: string | null
  readonly proxy?: ProxySettings | null
  /** For each question; 10 s when absent. */
  readonly timeoutMs?: number
}

/** A server that is known, and the way to ask it more. */
export type Connection = {
  readonly facts: ServerFacts
  readonly adapter: EngineAdapter
  readonly http: HttpClient
  close(): Promise<void>
}

/** Finds out what serves at the url. Rejects with TokgridError, code `unreachable` or `usage`, which says what to do. */
export async function connectServer(options: ConnectOptions): Promise<Connection> {
  const { timeoutMs = 10_000 } = options
  const url = serverUrl(options.url)
  const http = createHttpClient({ ...options, url })
  try {
    const answer = await http.ask({ path: '/v1/models', timeoutMs })
    const models = readModelList(answer, url, options.apiKey !== null)
    const model = chooseModel(models, options.model)
    const probes = await probeServer(http, models, model, timeoutMs)
    const adapter = chooseEngine(probes, options.engine)
    const report = adapter.report(probes, model)
    const facts: ServerFacts = {
      url,
      engine: report.engine,
      model: { id: model.id, ...report.model },
      limits: report.limits,
      launch: launchOf(report),
      features: featuresOf(adapter, probes, report),
    }
    return { facts, adapter, http, close: http.close }
  } catch (error) {
    await http.close()
    throw options.proxy ? withProxyHint(error) : error
  }
}

/** What looks like the server's failure may be the proxy's. */
function withProxyHint(error: unknown): unknown {
  if (!(error instanceof TokgridError) || error.code !== 'unreachable') return error
  const hint = 'HTTP_PROXY or HTTPS_PROXY is set: NO_PROXY names hosts to reach without it'
  return new TokgridError(error.code, error.message, error.hint === null ? hint : `${error.hint}; ${hint}`)
}

function launchOf({ settings, launchWords }: EngineReport): ServerFacts['launch'] {
  const told = { settings: redactSettings(settings) }
  return launchWords === null
    ? { ...told, command: null, source: null }
    : { ...told, command: commandText(launchWords), source: 'settings' }
}

function featuresOf(adapter: EngineAdapter, probes: Probes, { limits }: EngineReport): ServerFeatures {
  const { metricNames, liveCounters } = adapter
  return {
    metrics: metricNames !== null && probes.metrics.some(({ name }) => metricNames.test(name)),
    loads: adapter.read({ metrics: null, loads: probes.loads }, limits).fresh,
    realtimeCounters: liveCounters?.test(probes.metricsText) ?? false,
    continuousUsage: null,
    abort: adapter.abort !== null,
    tokenize: probes.tokenize,
  }
}
