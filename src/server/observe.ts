import type { MissedScrape, ServerSample } from '../domain/server-sample.ts'
import type { Clock } from '../runner/ports.ts'
import type { Connection } from './connect.ts'
import { type EngineAdapter, scrapePaths } from './engine-adapter.ts'
import { describeHttpFailure, type HttpAnswer, jsonOf } from './http-client.ts'
import { parsePrometheusText, type Series } from './prometheus-text.ts'

export type LookOptions = {
  /** Whether this look reads the metrics page too; the loads are read wherever the server has them. */
  readonly metrics: boolean
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export const lookTimeoutMs = 2000

/** One sample of all that the server offers. A failed scrape is told in the sample; never rejects. */
export function observeOnce(connection: Connection, clock: Clock): Promise<ServerSample> {
  return look(connection, clock, { metrics: true, timeoutMs: lookTimeoutMs })
}

/** One sample of what is asked for, all pages at once. */
export async function look(
  { facts, adapter, http }: Connection,
  clock: Clock,
  { metrics, ...request }: LookOptions,
): Promise<ServerSample> {
  const { features, limits } = facts
  const startedAt = clock.now()
  const [metricsAnswer, loadsAnswer] = await Promise.all([
    metrics && features.metrics ? http.ask({ path: scrapePaths.metrics, ...request }) : null,
    features.loads ? http.ask({ path: scrapePaths.loads, ...request }) : null,
  ])
  const at = clock.now()
  const scrape = {
    metrics: metricsAnswer === null ? null : figuresOf(metricsAnswer, adapter),
    loads: loadsAnswer === null ? undefined : jsonOf(loadsAnswer),
  }
  const reading = adapter.read(scrape, limits)
  const missed: MissedScrape[] = []
  if (metricsAnswer !== null && scrape.metrics === null)
    missed.push({ source: 'metrics', message: problemOf(metricsAnswer) })
  if (loadsAnswer !== null && !reading.fresh)
    missed.push({ source: 'loads', message: problemOf(loadsAnswer) })
  return { at, tookMs: at - startedAt, ...reading, missed }
}

/** The series that are a number; `null` when none is the engine's. */
function figuresOf(answer: HttpAnswer, { metricNames }: EngineAdapter): readonly Series[] | null {
  if (answer.kind !== 'ok') return null
  const series = parsePrometheusText(answer.body).filter(({ value }) => !Number.isNaN(value))
  return series.some(({ name }) => metricNames?.test(name)) ? series : null
}

function problemOf(answer: HttpAnswer): string {
  return answer.kind === 'ok' ? 'the answer holds no figures' : describeHttpFailure(answer)
}
