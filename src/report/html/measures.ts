import type { Distribution } from '../../domain/statistics.ts'
import { cleanText } from '../../format/clean-text.ts'
import { count, decimal, finePercent, milliseconds, perSecond, unknown } from '../../format/units.ts'
import type { ReportCell } from './report-run.ts'

/** A figure of a cell in all its precision, for tables. */
export type Measure = {
  readonly group: string
  readonly name: string
  readonly text: (cell: ReportCell) => string
}

type Of = (cell: ReportCell) => number | null | undefined

const measure = (name: string, text: Measure['text']) => ({ name, text })
const rate = (name: string, of: Of) => measure(name, cell => perSecond(of(cell) ?? null))
const time = (name: string, of: Of) => measure(name, cell => milliseconds(of(cell) ?? null))
const share = (name: string, of: Of) => measure(name, cell => finePercent(of(cell) ?? null))
const whole = (name: string, of: Of) => measure(name, cell => count(of(cell) ?? null))
const part = (name: string, digits: number, of: Of) =>
  measure(name, cell => decimal(of(cell) ?? null, digits))

const withUnit = (value: number | null | undefined, unit: string) =>
  value === null || value === undefined ? unknown : `${count(value)} ${unit}`
const halfWidth = (value: number | null | undefined) =>
  value === null || value === undefined ? unknown : `± ${perSecond(value)}`
const estimate = (name: string, of: (cell: ReportCell) => { ci95: number | null; n: number } | undefined) =>
  measure(name, cell => {
    const found = of(cell)
    return found === undefined ? unknown : `${halfWidth(found.ci95)} (n ${found.n})`
  })

/** Latencies whose spread the page tells, each with the name of its group. */
export const spreads: readonly {
  readonly name: string
  readonly of: (cell: ReportCell) => Distribution | null | undefined
}[] = [
  { name: 'TTFT steady', of: cell => cell.ttftMs?.steady },
  { name: 'TTFT launch', of: cell => cell.ttftMs?.launch },
  { name: 'TTFT all', of: cell => cell.ttftMs?.all },
  { name: 'ITL', of: cell => cell.itlMs },
  { name: 'Chunk gap', of: cell => cell.interChunkMs },
]

/** The columns of a spread. */
export const spreadParts: readonly {
  readonly name: string
  readonly text: (found: Distribution) => string
}[] = [
  { name: 'n', text: ({ n }) => count(n) },
  { name: 'mean', text: ({ mean }) => milliseconds(mean) },
  { name: 'p50', text: ({ p50 }) => milliseconds(p50) },
  { name: 'p90', text: ({ p90 }) => milliseconds(p90) },
  { name: 'p99', text: ({ p99 }) => milliseconds(p99) },
  { name: 'max', text: ({ max }) => milliseconds(max) },
]

/** 29.0 (max 29) */
const withMost = (
  name: string,
  text: (value: number | null) => string,
  of: (cell: ReportCell) => { readonly mean: number | null; readonly max: number | null } | undefined,
) =>
  measure(name, cell => {
    const found = of(cell)
    if (found === undefined || (found.mean === null && found.max === null)) return unknown
    return `${text(found.mean)} (max ${text(found.max)})`
  })

const groups: Readonly<Record<string, readonly Omit<Measure, 'group'>[]>> = {
  Throughput: [
    rate('Total tok/s', cell => cell.totalTokensPerSecond?.mean),
    measure('95% interval', cell => halfWidth(cell.totalTokensPerSecond?.ci95)),
    estimate('by slices of the window', cell => cell.totalTokensPerSecond?.batchMeans),
    estimate('by requests', cell => cell.totalTokensPerSecond?.requestLevel),
    rate('Per stream tok/s', cell => cell.perStreamTokensPerSecond),
    measure('Per request tok/s', ({ perRequestTokensPerSecond: found }) =>
      found === null ? unknown : `${perSecond(found.p50)} (p10 ${perSecond(found.p10)}, n ${found.n})`,
    ),
    rate('Steps/s', cell => cell.stepsPerSecond),
    time('Step', cell => cell.stepMs),
    part('Tokens per chunk', 2, cell => cell.tokensPerChunk),
    share('Time in stalls', cell => cell.stallFraction),
    share('Scaling', cell => cell.scalingEfficiency),
  ],
  Latency: [
    measure('TTFT', ({ ttftMs }) =>
      ttftMs === null ? unknown : `${milliseconds(ttftMs.headline)} (${ttftMs.source})`,
    ),
    time('ITL', cell => cell.itlMs?.p50),
    measure('Held the asked limits', ({ slo }) =>
      slo === null ? unknown : `${finePercent(slo.share)} (n ${slo.n})`,
    ),
  ],
  Load: [
    measure('Measured for', cell =>
      cell.windowSeconds === null ? unknown : `${decimal(cell.windowSeconds, 1)} s`,
    ),
    whole('Output tokens', cell => cell.outputTokens),
    measure('Prompt tokens', ({ promptTokens: found }) =>
      found === null ? unknown : `${count(found.mean)} (${count(found.min)} to ${count(found.max)})`,
    ),
    whole('Tokens held by a request, mean', cell => cell.meanSequenceTokens),
    part('Average active', 1, cell => cell.active?.mean),
    whole('Requests', cell => cell.requests?.started),
    whole('completed', cell => cell.requests?.completed),
    whole('cut off at the end', cell => cell.requests?.cutOff),
    whole('failed', cell => cell.requests?.failed),
    whole('stalled', cell => cell.requests?.stalled),
  ],
  Server: [
    withMost(
      'Running',
      value => decimal(value, 1),
      cell => cell.server?.running,
    ),
    withMost(
      'Queued',
      value => decimal(value, 1),
      cell => cell.server?.queued,
    ),
    share('Samples with a queue', cell => cell.server?.queued.share),
    withMost('KV cache', finePercent, cell => cell.server?.kvCacheUsage),
    withMost('State slots', finePercent, cell => cell.server?.stateSlotUsage),
    rate('Server tok/s', cell => cell.server?.tokensPerSecond),
    share('Server / client tokens', cell => cell.server?.agreement),
    measure('tolerated', ({ server }) =>
      server === null || server.agreementTolerance === null
        ? unknown
        : `± ${finePercent(server.agreementTolerance)}`,
    ),
    part('Acceptance', 2, cell => cell.server?.acceptLength),
    whole('Retractions', cell => cell.server?.retractions),
  ],
  Client: [
    time('Late at p99', cell => cell.client?.loopDelayP99Ms),
    share('Busy', cell => cell.client?.loopUtilisation),
    whole('Load threads', cell => cell.client?.workers),
  ],
  Hardware: [
    withMost(
      'Power',
      value => withUnit(value, 'W'),
      cell => cell.hardware?.powerW,
    ),
    part('Tokens per joule', 2, cell => cell.hardware?.tokensPerJoule),
    share('GPU busy', cell => cell.hardware?.utilisation.mean),
    measure('Clock', cell => withUnit(cell.hardware?.clockMHz.mean, 'MHz')),
    measure('Hottest', cell => withUnit(cell.hardware?.temperatureC.max, '°C')),
    measure(
      'Slowed down by',
      cell =>
        cell.hardware?.throttle
          ?.map(({ reason, share }) => `${cleanText(reason)} ${finePercent(share)}`)
          .join(', ') || unknown,
    ),
  ],
}

/** All figures of a cell, in the order of the page. */
export const measures: readonly Measure[] = Object.entries(groups).flatMap(([group, all]) =>
  all.map(one => ({ group, ...one })),
)
