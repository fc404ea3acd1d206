import type { CellSummary } from '../domain/cell-summary.ts'
import type { HardwareFigures } from '../domain/hardware-figures.ts'
import { throttledBy } from '../domain/hardware-figures.ts'
import type { Distribution } from '../domain/statistics.ts'
import { type Column, table } from '../format/table.ts'
import { amount, count, decimal, finePercent, milliseconds, percent, perSecond } from '../format/units.ts'
import type { Fact } from './fact-lines.ts'
import { throttleWords } from './throttle-words.ts'

/** The figures that come first. */
export function headFacts(figures: CellSummary, scaling: number | null): readonly Fact[] {
  const { totalTokensPerSecond: total, perStreamTokensPerSecond, perRequestTokensPerSecond } = figures
  return [
    {
      label: 'tok/s',
      text: [
        `${perSecond(total.mean)} ±${perSecond(total.ci95)}`,
        `${perSecond(perStreamTokensPerSecond)} each stream`,
        `${perSecond(perRequestTokensPerSecond.p50)} while streaming`,
        ...(scaling === null ? [] : [`scaling ${percent(scaling)}`]),
      ],
      style: 'strong',
    },
    {
      label: 'steps',
      text: [
        `${perSecond(figures.stepsPerSecond)}/s of ${milliseconds(figures.stepMs)}`,
        `${decimal(figures.tokensPerChunk, 2)} tokens each`,
        `${finePercent(figures.stallFraction)} of the time in stalls`,
      ],
    },
  ]
}

const columns: readonly Column[] = [
  { title: '', align: 'left' },
  ...['n', 'mean', 'p50', 'p90', 'p99', 'max'].map(title => ({ title, align: 'right' as const })),
]

/** Latencies as a table, its titles first; a percentile of too few values is unknown. */
export function latencyTable({ ttftMs, itlMs, interChunkMs }: CellSummary): readonly string[] {
  const row = (name: string, { n, mean, p50, p90, p99, max }: Distribution) => [
    name,
    count(n),
    ...[mean, p50, p90, p99, max].map(value => milliseconds(value)),
  ]
  const headline = (source: 'launch' | 'steady') => (ttftMs.source === source ? ' ◂' : '')
  return table(columns, [
    row(`TTFT launch${headline('launch')}`, ttftMs.launch),
    row(`TTFT steady${headline('steady')}`, ttftMs.steady),
    row('ITL', itlMs),
    row('gap of chunks', interChunkMs),
  ])
}

/** The evidence, the most telling first. */
export function evidenceFacts(figures: CellSummary): readonly Fact[] {
  const { requests, client, totalTokensPerSecond: total, promptTokens, slo, hardware } = figures
  return [
    { label: 'double entry', text: doubleEntryText(figures.server) },
    {
      label: 'requests',
      text: [
        `${count(requests.started)} under way`,
        `${count(requests.completed)} completed`,
        `${count(requests.cutOff)} cut off`,
        `${count(requests.failed)} failed`,
        `${count(requests.stalled)} stalled`,
      ],
    },
    { label: 'server', text: serverText(figures.server) },
    ...(slo === null
      ? []
      : [{ label: 'limits asked', text: `${percent(slo.share)} of ${amount(slo.n, 'request')} hold them` }]),
    ...(hardware === null ? [] : [{ label: 'hardware', text: hardwareText(hardware) }]),
    {
      label: 'client',
      text: `${milliseconds(client.loopDelayP99Ms)} late at p99, ${percent(client.loopUtilisation)} busy, ${amount(client.workers, 'load thread')}`,
    },
    {
      label: '95% interval',
      text: `requests ±${perSecond(total.requestLevel.ci95)} (n ${total.requestLevel.n}), batches of the window ±${perSecond(total.batchMeans.ci95)} (n ${total.batchMeans.n}): the larger counts`,
    },
    {
      label: 'prompt',
      text:
        promptTokens === null
          ? 'the server does not tell its length'
          : `${count(promptTokens.mean)} tokens (${count(promptTokens.min)} to ${count(promptTokens.max)}), with output ${count(figures.meanSequenceTokens)} held on average`,
    },
  ]
}

function doubleEntryText({ agreement, agreementTolerance }: CellSummary['server']): string {
  if (agreement === null || agreementTolerance === null)
    return 'no live counter of the server could be held against ours'
  return `server counted ${finePercent(agreement)} of ours in the same time (±${finePercent(agreementTolerance)} tolerated)`
}

function serverText(server: CellSummary['server']): readonly string[] {
  const { running, queued, kvCacheUsage, stateSlotUsage, tokensPerSecond, acceptLength, retractions } = server
  const range = (
    name: string,
    figure: { readonly mean: number | null; readonly max: number | null },
    text: (value: number | null) => string,
  ) => `${name} ${text(figure.mean)} (max ${text(figure.max)})`
  return [
    range('running', running, value => decimal(value, 1)),
    range('queued', queued, value => decimal(value, 1)),
    range('KV', kvCacheUsage, percent),
    ...(stateSlotUsage.max === null ? [] : [range('slots', stateSlotUsage, percent)]),
    `generated ${perSecond(tokensPerSecond)} tok/s`,
    `accepted ${decimal(acceptLength, 2)}`,
    `retracted ${count(retractions)}`,
  ]
}

function hardwareText(hardware: HardwareFigures): readonly string[] {
  const { powerW, utilisation, temperatureC, clockMHz, tokensPerJoule } = hardware
  const throttled = throttledBy(hardware).map(
    ({ reason, share }) => `${throttleWords[reason]} ${percent(share)} of the time`,
  )
  return [
    `${count(powerW.mean)} W (max ${count(powerW.max)})`,
    `${decimal(tokensPerJoule, 2)} tokens/J`,
    `${percent(utilisation.mean)} busy`,
    `max ${count(temperatureC.max)} °C`,
    `${count(clockMHz.mean)} MHz`,
    ...(throttled.length === 0 ? [] : [`held down: ${throttled.join(', ')}`]),
  ]
}
