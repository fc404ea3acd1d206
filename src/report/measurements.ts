import { exact, finePercent, unknown } from '../format/units.ts'
import type { ResultCell, ResultPrefill, RunResult } from '../result/schema.ts'

/** One prefill row or one cell of a run. */
export type Measurement =
  | { readonly phase: 'prefill'; readonly row: ResultPrefill; readonly concurrency: 1 }
  | { readonly phase: 'decode'; readonly row: ResultCell; readonly concurrency: number }

export type Value = number | string | null

/** A figure of a measurement: where it stands in a cell of the result, and which figure of a prefill row is the same. */
export type Figure = {
  readonly path: string
  readonly prefill?: (row: ResultPrefill) => number | null
  /** How tables name and write it; files take all digits. */
  readonly shown?: { readonly title: string; readonly text: (value: number | null) => string }
}

/** All of a run, in its order. */
export function measurementsOf({ prefill, decode }: RunResult): readonly Measurement[] {
  return [
    ...prefill.map(row => ({ phase: 'prefill', row, concurrency: 1 }) as const),
    ...decode.map(row => ({ phase: 'decode', row, concurrency: row.concurrency }) as const),
  ]
}

/** Tok/s: 1,464.6, from 10,000 on 28,112. */
export function rate(value: number | null): string {
  return exact(value, value !== null && value >= 9_999.95 ? 0 : 1)
}

/** 4.4 ms, 1,026 ms. */
export function time(value: number | null): string {
  return value === null ? unknown : `${exact(value, value >= 99.95 ? 0 : 1)} ms`
}

const whole = (value: number | null) => exact(value, 0)
const tenths = (value: number | null) => exact(value, 1)
const hundredths = (value: number | null) => exact(value, 2)
const seconds = (value: number | null) => (value === null ? unknown : `${exact(value, 1)} s`)

const percentiles = ['n', 'mean', 'p50', 'p90', 'p99', 'max']
const spread = (path: string): readonly Figure[] => percentiles.map(name => ({ path: `${path}.${name}` }))
const plain = (...paths: readonly string[]): readonly Figure[] => paths.map(path => ({ path }))
const shown = (
  path: string,
  title: string,
  text: (value: number | null) => string,
  prefill: Figure['prefill'] = () => null,
): Figure => ({ path, prefill, shown: { title, text } })

/** Every figure of the result's rows, in the order of a table. */
export const figures: readonly Figure[] = [
  shown('totalTokensPerSecond.mean', 'Total tok/s', rate, row => row.tokensPerSecond),
  shown('totalTokensPerSecond.ci95', '± 95%', rate),
  ...plain('totalTokensPerSecond.batchMeans.ci95', 'totalTokensPerSecond.batchMeans.n'),
  ...plain('totalTokensPerSecond.requestLevel.ci95', 'totalTokensPerSecond.requestLevel.n'),
  shown('netTokensPerSecond', 'Net tok/s', rate, row => row.netTokensPerSecond),
  shown('perStreamTokensPerSecond', 'Per stream tok/s', rate),
  shown('perRequestTokensPerSecond.p50', 'Per request tok/s', rate),
  ...plain('perRequestTokensPerSecond.p10', 'perRequestTokensPerSecond.n'),
  shown('ttftMs.headline', 'TTFT', time, row => row.ttftMs),
  ...plain('ttftMs.source'),
  ...spread('ttftMs.steady'),
  ...spread('ttftMs.launch'),
  ...spread('ttftMs.all'),
  { path: 'hostTokenizeMs', prefill: row => row.hostTokenizeMs },
  shown('itlMs.p50', 'Time between tokens', time),
  ...spread('itlMs').filter(({ path }) => path !== 'itlMs.p50'),
  shown('stepsPerSecond', 'Steps/s', tenths),
  ...plain('stepMs'),
  ...spread('interChunkMs'),
  shown('tokensPerChunk', 'Tokens per chunk', hundredths),
  shown('stallFraction', 'Stalled', finePercent),
  shown('active.mean', 'Average active requests', tenths),
  shown('server.running.mean', 'Running on the server', tenths),
  ...plain('server.running.max'),
  shown('server.queued.mean', 'Queued', tenths),
  ...plain('server.queued.max', 'server.queued.share'),
  shown('server.kvCacheUsage.mean', 'KV cache used', finePercent),
  ...plain('server.kvCacheUsage.max', 'server.stateSlotUsage.mean', 'server.stateSlotUsage.max'),
  shown('server.tokensPerSecond', 'Tok/s by the server', rate),
  shown('server.agreement', 'Server / client tokens', finePercent),
  ...plain('server.agreementTolerance', 'server.acceptLength', 'server.retractions'),
  shown('requests.completed', 'Completed requests', whole, ({ samples }) => samples.length || null),
  ...plain('requests.started', 'requests.cutOff'),
  shown('requests.failed', 'Failed requests', whole),
  ...plain('requests.stalled'),
  shown('promptTokens.mean', 'Prompt tokens', whole, row => row.promptTokens),
  ...plain('promptTokens.min', 'promptTokens.max', 'meanSequenceTokens'),
  shown('outputTokens', 'Output tokens', whole),
  shown('windowSeconds', 'Measured for', seconds),
  shown('scalingEfficiency', 'Scaling', finePercent),
  ...plain('client.loopDelayP99Ms', 'client.loopUtilisation', 'client.workers'),
  ...plain('hardware.powerW.mean', 'hardware.powerW.max', 'hardware.utilisation.mean'),
  ...plain('hardware.temperatureC.max', 'hardware.clockMHz.mean'),
  shown('hardware.tokensPerJoule', 'Tokens per joule', hundredths),
  ...plain('slo.share', 'slo.n', 'limit.kind', 'limit.needed', 'limit.available'),
]

/** What stands in a measurement under a figure; `null`: not known, or not of its phase. */
export function figureOf({ path, prefill }: Figure, measurement: Measurement): Value {
  if (measurement.phase === 'prefill' && !path.startsWith('limit.')) return prefill?.(measurement.row) ?? null
  const value = path.split('.').reduce<unknown>(fieldOf, measurement.row)
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** A figure as tables write it. */
export function textOf(figure: Figure, measurement: Measurement): string {
  const value = figureOf(figure, measurement)
  return figure.shown?.text(typeof value === 'number' ? value : null) ?? unknown
}

/** The figures that tables show, without those that no measurement has. */
export function shownFigures(measurements: readonly Measurement[]): readonly Figure[] {
  return figures.filter(
    figure => figure.shown !== undefined && measurements.some(one => figureOf(figure, one) !== null),
  )
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : null
}
