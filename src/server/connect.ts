import type { Dispatcher } from 'undici'
import type { ServerFacts, ServerFeatures } from '../domain/server-facts.ts'
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
  /** Takes any TLS certificate; a given dispatcher decides that itself. */
  readonly insecure: boolean
  /** `null`: the server's first. */
  readonly model: string | null
  /** One of `engineNames`; `null`: the one that the server answers as. */
  readonly engine: string | null
  /** Goes through a proxy; must not be shared with the load. */
  readonly dispatcher?: Dispatcher
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
      launch: { command: null, settings: redactSettings(report.settings) },
      features: featuresOf(adapter, probes, report),
    }
    return { facts, adapter, http, close: http.close }
  } catch (error) {
    await http.close()
    throw error
  }
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
