import { z } from 'zod'
import { type Probes, scrapePaths } from './engine-adapter.ts'
import { type HttpClient, jsonOf } from './http-client.ts'
import type { ModelCard } from './model-list.ts'
import { parsePrometheusText } from './prometheus-text.ts'

/** No tokens for a letter: a server that reads the text from another field, as llama.cpp does. */
const tokenized = z.union([
  z.looseObject({ count: z.number().positive() }),
  z.looseObject({ tokens: z.array(z.unknown()).nonempty() }),
])

/** Asks the server for all that it may tell of itself, at once; what it does not answer stays unknown. */
export async function probeServer(
  http: HttpClient,
  models: readonly ModelCard[],
  model: ModelCard,
  timeoutMs: number,
): Promise<Probes> {
  const get = (path: string) => http.ask({ path, timeoutMs })
  const getServerInfo = async () => {
    const answer = await get('/server_info')
    // Its name before version 0.5.6.
    return answer.kind === 'status' && answer.status === 404 ? get('/get_server_info') : answer
  }
  const [serverInfo, version, metrics, loads, tokenize] = await Promise.all([
    getServerInfo(),
    get('/version'),
    get(scrapePaths.metrics),
    get(scrapePaths.loads),
    http.ask({ path: '/tokenize', body: { model: model.id, prompt: 'a' }, timeoutMs }),
  ])
  const metricsText = metrics.kind === 'ok' ? metrics.body : ''
  return {
    models,
    serverInfo: jsonOf(serverInfo),
    version: jsonOf(version),
    loads: jsonOf(loads),
    metricsText,
    metrics: parsePrometheusText(metricsText),
    tokenize: tokenized.safeParse(jsonOf(tokenize)).success,
  }
}
